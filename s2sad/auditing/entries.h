// Objects that entries pass for structs and accessors: they convert to the parameter's type.
#define s2sad_must static_assert  // kept in the widened text, unlike the author's own assertions
template <size_t Width, class E> struct s2sad_array {
    const void *p;
    template <class T> operator T *() const
    {
        s2sad_must(Width == 0 || sizeof(T) == Width * sizeof(E),
                   "the last extent of an array of structs is how many numbers one of them has");
        return (T *)p;
    }
};
template <size_t Width, class E> struct s2sad_object {
    const void *p;
    template <class T> operator T() const
    {
        s2sad_must(sizeof(T) == Width * sizeof(E), "the size of a struct is how many numbers it has");
        return *(const T *)p;
    }
};
// Converts to an integer of any type without narrowing errors: sizes are known to fit.
struct s2sad_extent {
    int64_t value;
    template <class I, typename s2sad_if<s2sad_integer<I>>::type = 0> constexpr operator I() const { return (I)value; }
};
template <int N> struct s2sad_choice_of : s2sad_choice_of<N - 1> {};
template <> struct s2sad_choice_of<0> {};

// Constructs an accessor from the first of the usual forms that works: a pointer and its sizes.
template <size_t Rank, class E> struct s2sad_tensor {
    E *p;
    s2sad_extent sizes[Rank], strides[Rank];
    int64_t wide[Rank];
    int narrow[Rank];

    s2sad_tensor(const E *p, const int64_t (&given)[Rank]) : p((E *)p)
    {
        int64_t stride = 1;
        for (size_t i = Rank; i-- > 0; stride *= given[i]) {
            sizes[i].value = wide[i] = narrow[i] = given[i];
            strides[i].value = stride;
        }
    }
    template <class A> operator A() const
    {
        return made<A>(typename s2sad_upto<Rank>::list(), typename s2sad_upto<Rank - 1>::list(), s2sad_choice_of<6>());
    }

private:
    template <class A, class I, class J> auto made(I, J, s2sad_choice_of<6>) const -> decltype(A(p, wide)) { return A(p, wide); }
    template <class A, class I, class J> auto made(I, J, s2sad_choice_of<5>) const -> decltype(A(p, narrow)) { return A(p, narrow); }
    template <class A, size_t... I, class J>
    auto made(s2sad_indices<I...>, J, s2sad_choice_of<4>) const -> decltype(A{p, sizes[I]..., strides[I]...})
    {
        return A{p, sizes[I]..., strides[I]...};
    }
    template <class A, size_t... I, size_t... J>
    auto made(s2sad_indices<I...>, s2sad_indices<J...>, s2sad_choice_of<3>) const -> decltype(A{p, sizes[I]..., strides[J]...})
    {
        return A{p, sizes[I]..., strides[J]...};
    }
    template <class A, size_t... I, class J>
    auto made(s2sad_indices<I...>, J, s2sad_choice_of<2>) const -> decltype(A{p, sizes[I]...})
    {
        return A{p, sizes[I]...};
    }
    template <class A, class I, class J> auto made(I, J, s2sad_choice_of<1>) const -> decltype(A{p}) { return A{p}; }
    template <class A, class I, class J> A made(I, J, s2sad_choice_of<0>) const
    {
        s2sad_must(sizeof(A) == 0, "this accessor can't be made of a pointer and its sizes");
    }
};

// The same for an accessor that is passed by pointer: it lives as long as this object.
template <size_t Rank, class E> struct s2sad_placed_tensor : s2sad_tensor<Rank, E> {
    alignas(16) mutable char room[16 * (Rank + 1)];

    using s2sad_tensor<Rank, E>::s2sad_tensor;
    template <class A> operator A *() const
    {
        s2sad_must(sizeof(A) <= sizeof room, "this accessor holds more than a pointer, sizes and strides");
        const s2sad_tensor<Rank, E> &whole = *this;
        A made = whole;
        memcpy((void *)room, (const void *)&made, sizeof(A));
        return (A *)room;
    }
};
