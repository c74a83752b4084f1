"""What names, types and templates mean; what nodes become is asked through `dispatch`."""
