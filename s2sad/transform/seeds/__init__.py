"""An adjoint that takes several seeds, from the adjoint that takes one."""
