"""What a kernel takes from its file: constants, types, device functions."""

from __future__ import annotations

from lowering_kit import lowered, program

import s2sad
from s2sad import ir


def test_a_constant_of_the_file_keeps_its_name_and_has_its_value() -> None:
    result = program("a = G * 2;", before="const float G = 9.81f;\n")
    (assign,) = result.kernel.body
    assert isinstance(assign, ir.Assign)
    assert isinstance(assign.value, ir.Binary)
    assert assign.value.left == ir.Const(9.8100004196167, ir.FLOAT)
    assert assign.value.left.spelling == "G"
    assert [c.text for c in result.constants] == ["const float G = 9.81f;"]


def test_a_constant_with_directives_in_it_travels_without_them() -> None:
    before = "#if 1\n__constant__\n#endif\nfloat table[] = {1,\n#ifdef MORE\n9,\n#endif\n2};\n"
    (table,) = program("a = table[i];", before=before).constants
    assert table.text == "__constant__ float table [ ] = { 1 , 2 };"


def test_a_constant_may_be_computed() -> None:
    before = "constexpr int W = 3, H = W * (1 << 2) - 7 / 2;\n"
    result = program("float q[H];", before=before)
    (declare,) = result.kernel.body
    assert isinstance(declare, ir.Declare)
    assert declare.sym.type == ir.Array(ir.FLOAT, (9,))
    assert [c.sym.name for c in result.constants] == ["W", "H"]


def test_a_type_may_need_a_constant_and_a_constant_a_type() -> None:
    before = (
        "enum { FEW = 2 };\nconst int MORE = FEW + 1;\n"
        "struct P { float h[MORE]; };\nconst int LAST = sizeof(P) / 4 - 1;\n"
    )
    result = program("P p; p.h[LAST] = a;", before=before)
    (declare, assign) = result.kernel.body
    assert isinstance(declare, ir.Declare)
    assert declare.sym.type == ir.Array(ir.FLOAT, (3,))
    assert isinstance(assign, ir.Assign)
    assert isinstance(assign.target, ir.Place)
    assert assign.target.index == (ir.Const(2, ir.INT),)


def test_a_table_of_the_file_is_read_as_an_array() -> None:
    result = program("a = table[i] + w[1][j];", before="__constant__ float table[] = {1, 2, 3};\n"
                     "const double w[2][2] = {{1, 2}, {3, 4}};\n")  # fmt: skip
    table, w = result.constants
    assert (table.sym.storage, table.sym.type) == ("global", ir.Array(ir.FLOAT, (3,)))
    assert (table.text, w.text) == (
        "__constant__ float table[] = {1, 2, 3};",
        "const double w[2][2] = {{1, 2}, {3, 4}};",
    )


def test_a_constant_that_the_host_may_set_is_read_not_folded() -> None:
    result = program("a = scale;", before="__constant__ float scale = 2.0f;\n")
    (assign,) = result.kernel.body
    assert isinstance(assign, ir.Assign)
    assert assign.value == ir.Place(result.constants[0].sym, (), ir.FLOAT)


def test_enumerators_of_the_file_keep_their_names() -> None:
    before = "enum Mode { LINEAR, CUBIC = 3 };\n"
    assert lowered("if (n == CUBIC) { float q[CUBIC]; }", before=before) == (
        "if (n == CUBIC) {\n    float q[CUBIC];\n}"
    )
    assert program("n = CUBIC;", before=before).typedefs == ("enum Mode { LINEAR, CUBIC = 3 };",)


def test_a_typedef_names_its_type() -> None:
    before = "typedef float real;\nusing count = unsigned long;\n"
    assert lowered("real q = 1;\ncount z = n;", before=before) == (
        "float q = <float>1;\nunsigned long z = <unsigned long>n;"
    )


def test_device_functions_convert_their_arguments_and_results() -> None:
    before = "__device__ float f(float v, int k) { return v * k + 0.5; }\n"
    result = program("d[0] = f(d[1], 2u);", before=before)
    (assign,) = result.kernel.body
    assert isinstance(assign, ir.Assign)
    from s2sad import irtext

    assert irtext.show(assign) == "d[0] = <double>f(<float>d[1], <int>2u);"
    assert irtext.show(result.functions["f"]) == (
        "__device__ float f(float v, int k)\n{\n    return <float>(<double>(v * <float>k) + 0.5);\n}"
    )


def test_overloads_have_keys_of_their_own() -> None:
    before = (
        "__device__ float f(float v) { return v; }\n"
        "__device__ double f(double v) { return 2 * v; }\n"
        "__device__ float f(float v, float w) { return v * w; }\n"
    )
    result = program("a = f(a);\nd[0] = f(d[0]);\na = f(a, b);", before=before)
    calls = [s.value for s in result.kernel.body if isinstance(s, ir.Assign)]
    assert [c.callee for c in calls if isinstance(c, ir.Call)] == ["f", "f_double", "f_float_float"]
    assert list(result.functions) == ["f", "f_double", "f_float_float"]
    assert {c.name for c in calls if isinstance(c, ir.Call)} == {"f"}


def test_an_own_function_hides_the_built_in_one() -> None:
    before = "__device__ float lerp(float v) { return v; }\n__device__ float sinf(float v) { return v; }\n"
    (assign,) = program("a = sinf(a);", before=before).kernel.body
    assert isinstance(assign, ir.Assign)
    assert isinstance(assign.value, ir.Call)
    assert (assign.value.rule, assign.value.callee) == (None, "sinf")


def test_callees_come_first() -> None:
    before = (
        "__device__ float h(float v);\n"
        "__device__ float g(float v) { return h(v) + 1; }\n"
        "__device__ float h(float v) { return v * v; }\n"
    )
    assert list(program("a = g(a);", before=before).functions) == ["h", "g"]


def test_the_words_before_a_function_are_kept() -> None:
    before = "static __device__ __forceinline__ float f(float v) { return v; }\n"
    result = program("a = f(a);", before=before)
    assert result.functions["f"].attributes == ("static", "__device__", "__forceinline__")
    assert (result.kernel.attributes, result.kernel.is_kernel) == (("__global__",), True)
    assert not result.functions["f"].is_kernel


def test_parameters_keep_their_qualifiers() -> None:
    params = program("a = b;").kernel.params
    assert [p.sym.name for p in params] == ["x", "c", "d", "m", "n", "i", "j", "a", "b", "u"]
    assert params[1].sym.type == ir.Pointer(ir.FLOAT, const=True)
    assert params[0].span is not None
    assert params[0].span.text == "float *x"


def test_an_overload_of_a_function_of_cuda_may_use_that_function() -> None:
    before = "__device__ float2 expf(float2 v) { return make_float2(expf(v.x), expf(v.y)); }\n"
    text = lowered("float2 v = expf(make_float2(a, 1.0f)); x[0] = v.y + expf(a);", before=before)
    assert text.count("expf(") == 3


def test_what_only_the_host_calls_is_left_out_of_a_class() -> None:
    before = (
        "struct P {\n"
        "    static_assert(sizeof(float) == 4, \"\");\n"
        "    float v;\n"
        "    friend std::ostream &operator<<(std::ostream &os, const P &p) { os << p.v; return os; }\n"
        "    std::string name() const { return \"P\"; }\n"
        "    __device__ float twice() const { return 2 * v; }\n"
        "};\n"
    )  # fmt: skip
    assert "2 * p.v" in lowered("P p; p.v = a; x[0] = p.twice();", before=before)


def test_limits_of_the_sized_integers_are_known() -> None:
    text = lowered("m[0] = u == UINT32_MAX ? INT8_MIN : UINT32_C(7) & u;")
    assert "4294967295" in text
    assert "7u & u" in text.lower() or "7 & u" in text


def test_a_statement_of_a_method_may_begin_with_this() -> None:
    before = (
        "struct C { float re, im;\n"
        "__device__ void set(float re, float im) { this->re = re; this->im = im; }\n"
        "__device__ void turn() { this->set(this->im, 2.0f); *this += *this; }\n"
        "__device__ C &operator+=(const C &o) { this->re += o.re; return *this; } };\n"
    )
    shown = lowered("C o = {a, a}; o.turn(); x[0] = o.re;", before=before)
    assert "o.re = re" in shown
    assert "o.im = 2.0f" in shown
    assert "o.re += o.re" in shown


def test_an_alignment_may_be_made_of_sizes() -> None:
    text = (
        "template <typename T, int N> struct alignas(sizeof(T) * N) Packet { T v[N - 1]; };\n"
        "struct __align__(2 * 8) Body { float x, y, z; };\n"
        "struct __attribute__((aligned(16))) Cell { float x; };\n"
        "__global__ void k(const Packet<double, 4> *p, const Body *b, const Cell *c, float *y)\n"
        "{ y[0] = (float)p[0].v[1] + b[0].x + c[0].x; }"
    )
    source = s2sad.transform(text, name="k.cu", of=["y"], wrt=["p"]).source
    assert "struct __align__(32) Packet_double_4 {" in source
    assert "struct __align__(16) Body {" in source
    assert "struct __attribute__((aligned(16))) Cell { float x; };" in source
