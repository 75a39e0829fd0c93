"""A model of SMV as a structure: modules with declarations and constraints; its text; and the flat model, without modules."""

from expressions import PRECEDENCE, E, Fault, inner, path_text, rebuilt, text


class Array:
    """The type of an array, its elements may be arrays."""

    def __init__(self, low, high, of):
        self.low, self.high, self.of = low, high, of


class Domain:
    """A scalar type: how it is written, its values, and the type of expressions."""

    def __init__(self, written, values, kind):
        self.written, self.values, self.type = written, tuple(values), kind


def type_text(kind):
    return f"array {kind.low}..{kind.high} of {type_text(kind.of)}" if isinstance(kind, Array) else kind.written


class Instance:
    def __init__(self, module, arguments, process=False):
        self.module, self.arguments, self.process = module, arguments, process


class Property:
    """form: INVARSPEC, AG, EF, !EF, G, !F; CTL, LTL: a formula (temporal.py)."""

    def __init__(self, form, formula, label=None, keyword="SPEC"):
        self.form, self.formula, self.label, self.keyword = form, formula, label, keyword
        self.inner = False  # of a module that is not main

    def text(self, full):
        named = f"NAME {self.label} := " if self.label else ""
        if self.form in ("CTL", "LTL"):
            return f"{self.keyword} {named}{self.formula.text(full)}"
        whole = text(self.formula, full)
        inside = f"({whole})" if full else inner(self.formula, PRECEDENCE["="], full)  # AG x = 1 is AG (x = 1)
        shapes = {"INVARSPEC": "INVARSPEC {}{}", "AG": self.keyword + " {}AG {}", "EF": self.keyword + " {}EF {}",
                  "!EF": self.keyword + " {}!(EF {})", "!EF bare": self.keyword + " {}!EF {}", "G": "LTLSPEC {}G {}",
                  "!F": "LTLSPEC {}!(F {})", "!F bare": "LTLSPEC {}! F {}"}
        return shapes[self.form].format(named, whole if self.form == "INVARSPEC" else inside)


class Module:
    def __init__(self, label, parameters=()):
        self.label = label
        self.parameters = list(parameters)  # names
        self.declared = []  # (VAR, IVAR or FROZENVAR; name; Domain, Array or Instance), in the order of the text
        self.constants = []
        self.defines = []  # (name, expression)
        self.assigned = []  # (init, next or current; path; expression)
        self.constraints = []  # (INIT, INVAR or TRANS; expression)
        self.fairness = []  # (FAIRNESS or JUSTICE, expression)
        self.compassion = []  # pairs
        self.properties = []

    def section(self, title, lines):
        return [title] + ["  " + line for line in lines] if lines else []

    def declarations(self, full, together):
        out, last = [], None
        for keyword, label, kind in self.declared:
            if isinstance(kind, Instance):
                arguments = ", ".join(path_text(a) if isinstance(a, tuple) else text(a, full) for a in kind.arguments)
                written = ("process " if kind.process else "") + kind.module.label + (f"({arguments})" if kind.arguments else "")
            else:
                written = type_text(kind)
            out += self.section(keyword, [f"{label} : {written};"])[keyword == last and together:]
            last = keyword
        return out

    def text(self, full, together=True):
        """together: assignments in one section, variables of a kind as well."""
        head = f"MODULE {self.label}" + (f"({', '.join(self.parameters)})" if self.parameters else "")
        out = [head] + self.declarations(full, together)
        out += self.section("CONSTANTS", [", ".join(self.constants) + ";"] if self.constants else [])
        out += self.section("DEFINE", [f"{label} := {text(e, full)};" for label, e in self.defines])
        shapes = {"init": "init({})", "next": "next({})", "current": "{}"}
        assigned = [f"{shapes[when].format(path_text(path))} := {text(e, full)};" for when, path, e in self.assigned]
        for part in [assigned] if together else [[line] for line in assigned]:
            out += self.section("ASSIGN", part)
        for index, (keyword, e) in enumerate(self.constraints):
            out += [f"{keyword} {text(e, full)}" + (";" if index % 2 else "")]
        out += [f"{keyword} {text(e, full)};" for keyword, e in self.fairness]
        out += [f"COMPASSION ({text(a, full)}, {text(b, full)});" for a, b in self.compassion]
        out += [p.text(full) + ";" for p in self.properties]
        return "\n".join(out) + "\n"


class Model:
    """The last module is main."""

    def __init__(self, modules, full=True, together=True, main_first=False, remarks=False):
        self.modules, self.full, self.together, self.main_first, self.remarks = modules, full, together, main_first, remarks

    @property
    def main(self):
        return self.modules[-1]

    def text(self):
        order = self.modules[::-1] if self.main_first else self.modules
        between = "-- MODULE none; a remark\n/-- one on\n  two lines -- VAR x --/\n" if self.remarks else "\n"
        return between.join(m.text(self.full, self.together) for m in order) + (between if self.remarks else "")


class Flat:
    """What is left without modules: variables by number, and expressions over them."""

    def __init__(self):
        self.paths, self.types, self.domains, self.frozen = [], [], [], []  # paths: as main names them
        self.input_paths, self.input_domains = [], []
        self.processes = 1
        self.init, self.invar, self.trans, self.fairness, self.compassion = [], [], [], [], []
        self.init_assigned, self.current, self.next_assigned = {}, {}, {}  # by variable; the last: (process, expression)s
        self.properties = []


class Pending:
    """An expression with the scope that its names are of."""

    def __init__(self, e, scope):
        self.e, self.scope, self.busy = e, scope, False


def look_up(path, scope):
    here = scope
    for part in path:
        if isinstance(part, int):
            low, elements = here
            if not 0 <= part - low < len(elements):
                raise Fault(f"no element {part}")
            here = elements[part - low]
        elif not isinstance(here, dict) or part not in here:
            raise Fault(f"unknown name {path_text(path)}")
        else:
            here = here[part]
        if isinstance(here, Pending):
            here = resolved(here)
    return here


def resolved(pending):
    if isinstance(pending.e, tuple):  # an instance or an array by its name
        return look_up(pending.e, pending.scope)
    if pending.busy:
        raise Fault("a cycle of definitions")
    pending.busy = True
    try:
        return flat_expression(pending.e, pending.scope)
    finally:
        pending.busy = False


def flat_expression(e, scope):
    if e.op == "name":
        return look_up(e.args[0], scope)
    if e.op == "index":
        low, elements = look_up(e.args[0], scope)
        return E("element", ([resolved(x) if isinstance(x, Pending) else x for x in elements], low, flat_expression(e.args[1], scope)), e.type)
    return rebuilt(e, lambda child: flat_expression(child, scope))


class Flattener:
    def __init__(self, model):
        self.flat, self.main = Flat(), model.main
        self.made = []  # (module, scope, process)
        scope = self.instance(model.main, (), [], 0)
        if self.flat.processes > 1:
            scope["running"] = E("running", (0,), ("bool",))
        for made in self.made:
            self.constrain(*made)

    def variable(self, keyword, path, kind):
        flat = self.flat
        if isinstance(kind, Array):
            return kind.low, [self.variable(keyword, path + (k,), kind.of) for k in range(kind.low, kind.high + 1)]
        if keyword == "IVAR":
            flat.input_paths.append(path)
            flat.input_domains.append(kind.values)
            return E("input", (len(flat.input_paths) - 1,), kind.type)
        flat.paths.append(path)
        flat.types.append(kind.type)
        flat.domains.append(kind.values)
        flat.frozen.append(keyword == "FROZENVAR")
        return E("var", (len(flat.paths) - 1,), kind.type)

    def instance(self, module, prefix, arguments, process):
        scope = dict(zip(module.parameters, arguments))
        self.made.append((module, scope, process))
        for keyword, label, kind in module.declared:
            full = prefix + (label,)
            if isinstance(kind, Instance):
                number = process
                if kind.process:
                    number = self.flat.processes
                    self.flat.processes += 1
                inside = self.instance(kind.module, full, [Pending(a, scope) for a in kind.arguments], number)
                if kind.process:
                    inside["running"] = E("running", (number,), ("bool",))
                scope[label] = inside
            else:
                scope[label] = self.variable(keyword, full, kind)
        for label, e in module.defines:
            scope[label] = Pending(e, scope)
        return scope

    def constrain(self, module, scope, process):
        flat = self.flat
        for when, path, e in module.assigned:
            target = look_up(path, scope)
            if target.op != "var":
                raise Fault(f"{path_text(path)} cannot be assigned")
            number, value = target.args[0], flat_expression(e, scope)
            if when == "next":
                flat.next_assigned.setdefault(number, []).append((process, value))
            else:
                place = flat.init_assigned if when == "init" else flat.current
                if number in place:
                    raise Fault("assigned twice")
                place[number] = value
        for keyword, e in module.constraints:
            {"INIT": flat.init, "INVAR": flat.invar, "TRANS": flat.trans}[keyword].append(flat_expression(e, scope))
        flat.fairness += [flat_expression(e, scope) for _, e in module.fairness]
        flat.compassion += [(flat_expression(a, scope), flat_expression(b, scope)) for a, b in module.compassion]
        for p in module.properties:
            formula = p.formula.mapped(lambda e: flat_expression(e, scope)) if p.form in ("CTL", "LTL") else flat_expression(p.formula, scope)
            flat.properties.append(Property(p.form, formula, p.label, p.keyword))
            flat.properties[-1].inner = module is not self.main


def flatten(model):
    return Flattener(model).flat
