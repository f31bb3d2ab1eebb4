// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/frontends/fx/graph_builder.h"

#include "core/frontends/fx/node_builder.h"

namespace fivefold::frontends::fx {

namespace {

/// Nodes of all bodies together; bodies are copied once a call, so a short text could ask for more.
constexpr std::size_t kMostNodes = std::size_t(1) << 21;
/// Results of one call.
constexpr std::size_t kMostOutputs = std::size_t(1) << 14;

/// "torch.ops.aten.add.Tensor" → "aten.add.Tensor"; other functions keep their names, and those of
/// torch.nn.functional and torch itself are looked up among ATen's.
std::string targetOf(const std::string& callee) {
    constexpr std::string_view kOps = "torch.ops.";
    return callee.compare(0, kOps.size(), kOps) == 0 ? callee.substr(kOps.size()) : callee;
}

std::string_view domainOf(std::string_view target) {
    const std::size_t dot = target.find('.');
    const std::string_view first = target.substr(0, std::min(dot, target.size()));
    return first == "operator" || first == "torch" || dot == std::string_view::npos
        ? std::string_view()
        : first;
}

std::string_view operatorName(const Expr& expr) {
    struct Entry {
        std::string_view symbol, name;
    };
    static constexpr Entry kBinary[] = {{"+", "operator.add"}, {"-", "operator.sub"},
        {"*", "operator.mul"}, {"/", "operator.truediv"}, {"//", "operator.floordiv"},
        {"%", "operator.mod"}, {"**", "operator.pow"}, {"@", "operator.matmul"},
        {"==", "operator.eq"}, {"!=", "operator.ne"}, {"<", "operator.lt"}, {"<=", "operator.le"},
        {">", "operator.gt"}, {">=", "operator.ge"}, {"&", "operator.and"}, {"|", "operator.or"},
        {"^", "operator.xor"}, {"and", "operator.and"}, {"or", "operator.or"}};
    if (expr.is(Expr::Kind::Unary))
        return expr.text == "-" ? "operator.neg"
            : expr.text == "~"  ? "operator.invert"
            : expr.text == "+"  ? "operator.pos"
                                : "operator.not";
    for (const Entry& entry : kBinary)
        if (entry.symbol == expr.text)
            return entry.name;
    return "operator.unknown";
}

} // namespace

GraphBuilder::GraphBuilder(const Module& module, ir::Graph& graph, base::Diagnostics& diagnostics,
    const base::Progress& progress)
    : m_module(module)
    , m_graph(graph)
    , m_diagnostics(diagnostics)
    , m_progress(progress) { }

base::Result<base::Done> GraphBuilder::build() {
    ir::Scope root;
    root.path = "/";
    m_graph.scopes.add(std::move(root));
    ir::Block main;
    main.name = m_module.name;
    main.role = "main";
    Scope scope{m_module, m_graph.blocks.add(std::move(main)), {}, {}};
    buildModule(scope);
    if (m_error)
        return *m_error;
    setUsers();
    return base::Done();
}

void GraphBuilder::buildModule(Scope& scope) {
    addParameters(scope);
    std::size_t done = 0;
    for (const Statement& statement : scope.module.statements) {
        if (m_error)
            return;
        constexpr std::size_t kLinesPerCheck = 1024;
        if (++done % kLinesPerCheck == 0) {
            m_progress.report("graph",
                static_cast<double>(done) / static_cast<double>(scope.module.statements.size()));
            if (m_progress.isCancelled())
                m_error = base::Progress::cancelled();
        }
        m_currentScope = scopeOf(scope.module.comments[statement.comment]);
        addStatement(scope, statement);
    }
}

ir::ScopeId GraphBuilder::scopeOf(const std::string& comment) {
    constexpr std::string_view kPrefix = "L__self___";
    const std::size_t at = comment.find(kPrefix);
    if (at == std::string::npos)
        return ir::Graph::rootScope();
    const std::size_t first = at + kPrefix.size();
    const std::size_t end =
        std::min(comment.find_first_not_of(
                     "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_", first),
            comment.size());
    const std::string name = comment.substr(first, std::min<std::size_t>(end - first, 200));
    if (name.empty())
        return ir::Graph::rootScope();
    const auto [found, isNew] = m_scopes.try_emplace(name);
    if (isNew) {
        ir::Scope scope;
        scope.name = name;
        scope.path = "/" + name;
        scope.parent = ir::Graph::rootScope();
        found->second = m_graph.scopes.add(std::move(scope));
        m_graph.scopes[ir::Graph::rootScope()].children.push_back(found->second);
    }
    return found->second;
}

/// A graph whose parameters are taken apart by pytree lists the leaves in its first lines; those
/// are the inputs then.
void GraphBuilder::addParameters(Scope& scope) {
    const auto& statements = scope.module.statements;
    for (const Statement& statement : statements) {
        if (statement.kind == Statement::Kind::Declare)
            continue;
        if (statement.value.is(Expr::Kind::Call)
            && statement.value.text.find("tree_flatten_spec") != std::string::npos)
            return;
        break;
    }
    for (const Target& target : scope.module.parameters)
        addInput(scope, target.name, target.annotation);
}

/// What the text states of a name. A shape that no tensor can have is reported and left out.
Annotation GraphBuilder::annotationOf(const std::string& name, const std::string& text) {
    Annotation annotation = parseAnnotation(text);
    if (annotation.isTooLarge)
        m_diagnostics.warn("fx.shape_too_large", name,
            "The text gives it the type \"" + text.substr(0, 100)
                + "\", a tensor of more than 2^63 − 1 bytes; its shape counts as unknown.",
            "Correct the sizes in the text.");
    return annotation;
}

ir::ValueId GraphBuilder::addInput(
    Scope& scope, const std::string& name, const std::string& annotation) {
    if (const Named* known = find(scope, name); known && known->value.isValid())
        return known->value; // bound by the call that owns this body
    const ir::ValueId value =
        addValue(name, annotationOf(name, annotation), ir::ValueOrigin::BlockInput, scope.block);
    m_graph.blocks[scope.block].inputs.push_back(value);
    scope.names[name] = {value, {}, 0, nullptr};
    return value;
}

ir::ValueId GraphBuilder::addValue(
    const std::string& name, const Annotation& type, ir::ValueOrigin origin, ir::BlockId block) {
    ir::Value value;
    value.name = name;
    value.declared = type.type;
    value.strides = type.strides;
    value.origin = origin;
    value.block = block;
    return m_graph.values.add(std::move(value));
}

ir::ValueId GraphBuilder::addInitializer(ir::TensorData data, ir::BlockId block) {
    ir::Value value;
    value.declared.dtype = data.dtype;
    value.declared.shape = ir::Shape(data.shape.begin(), data.shape.end());
    value.name = data.name;
    value.origin = ir::ValueOrigin::Initializer;
    value.block = block;
    value.data = m_graph.tensors.add(std::move(data));
    const ir::ValueId id = m_graph.values.add(std::move(value));
    m_graph.blocks[block].initializers.push_back(id);
    return id;
}

const GraphBuilder::Named* GraphBuilder::find(const Scope& scope, const std::string& name) const {
    const auto found = scope.names.find(name);
    return found == scope.names.end() ? nullptr : &found->second;
}

std::string GraphBuilder::uniqueName(const std::string& wanted) {
    std::string name = wanted;
    for (int i = 1; !m_nodeNames.insert(name).second; ++i)
        name = wanted + "#" + std::to_string(i + static_cast<int>(m_graph.nodes.size()));
    return name;
}

ir::NodeId GraphBuilder::addNode(Scope& scope, ir::Node node) {
    if (m_graph.nodes.size() >= kMostNodes)
        m_error = base::Error{base::ErrorCode::Limit,
            "The fx graph has more than " + std::to_string(kMostNodes)
                + " operators with its bodies counted once a call; no graph of that size is read.",
            {}};
    node.block = scope.block;
    node.scope = m_currentScope;
    const ir::NodeId id = m_graph.nodes.add(std::move(node));
    m_graph.scopes[m_currentScope].nodes.push_back(id);
    m_graph.blocks[scope.block].nodes.push_back(id);
    for (std::size_t i = 0; i < m_graph.nodes[id].outputs.size(); ++i)
        if (const ir::ValueId output = m_graph.nodes[id].outputs[i]; output.isValid()) {
            m_graph.values[output].producer = id;
            m_graph.values[output].outputIndex = static_cast<std::uint32_t>(i);
        }
    return id;
}

ir::ValueId GraphBuilder::outputAt(const Named& named, std::size_t index) {
    ir::Node& node = m_graph.nodes[named.producer];
    const std::size_t at = index == 0 ? 0 : index + named.gap;
    if (at >= kMostOutputs)
        return {};
    while (node.outputs.size() <= at)
        node.outputs.emplace_back();
    if (!node.outputs[at].isValid()) {
        const ir::ValueId value = addValue(
            node.name + "." + std::to_string(index), {}, ir::ValueOrigin::NodeOutput, node.block);
        m_graph.values[value].producer = named.producer;
        m_graph.values[value].outputIndex = static_cast<std::uint32_t>(at);
        m_graph.nodes[named.producer].outputs[at] = value;
    }
    return m_graph.nodes[named.producer].outputs[at];
}

void GraphBuilder::addStatement(Scope& scope, const Statement& statement) {
    if (statement.kind == Statement::Kind::Return)
        return addReturn(scope, statement.value);
    if (statement.kind == Statement::Kind::Declare) {
        for (const Target& target : statement.targets)
            scope.annotations[target.name] = target.annotation;
        return;
    }
    if (statement.targets.size() > 1)
        return addUnpacked(scope, statement);
    const Expr& value = statement.value;
    if (statement.targets.empty()) {
        if (value.is(Expr::Kind::Call))
            addCall(scope, statement);
        return;
    }
    const Target& target = statement.targets.front();
    if (value.is(Expr::Kind::Name)) {
        constexpr std::string_view kSelf = "self.";
        if (value.text.compare(0, kSelf.size(), kSelf) == 0)
            return addAttribute(scope, target, value.text.substr(kSelf.size()));
        if (const Named* known = find(scope, value.text)) {
            const Named copy = *known;
            scope.names[target.name] = copy; // another name for the same value
            return;
        }
    }
    if (value.is(Expr::Kind::Subscript) && value.items[0].is(Expr::Kind::Name)
        && value.items[1].is(Expr::Kind::Integer))
        return addGetitem(scope, statement);
    addCall(scope, statement);
}

/// self.name: a stored tensor whose contents the text does not hold, or a body.
void GraphBuilder::addAttribute(Scope& scope, const Target& target, const std::string& path) {
    if (const Module* body = scope.module.child(path)) {
        scope.names[target.name] = {{}, {}, 0, body};
        return;
    }
    const Annotation annotation = annotationOf(target.name, target.annotation);
    const auto shape =
        annotation.type.shape ? ir::knownShape(*annotation.type.shape) : std::nullopt;
    ir::ValueId value;
    if (shape && annotation.type.dtype != ir::DType::Undefined) {
        ir::TensorData data;
        data.name = path;
        data.dtype = annotation.type.dtype;
        data.shape = *shape;
        data.storage = ir::TensorStorage::Missing;
        data.missingReason = "The text of an fx graph does not hold the contents of its constants.";
        value = addInitializer(std::move(data), scope.block);
        m_graph.values[value].strides = annotation.strides;
    } else {
        value = addValue(path, annotation, ir::ValueOrigin::Initializer, scope.block);
        m_graph.blocks[scope.block].initializers.push_back(value);
    }
    scope.names[target.name] = {value, {}, 0, nullptr};
}

/// split[1]: result 1 of a call, whose type this line's annotation states.
void GraphBuilder::addGetitem(Scope& scope, const Statement& statement) {
    const Target& target = statement.targets.front();
    const Annotation annotation = annotationOf(target.name, target.annotation);
    const Expr& base = statement.value.items[0];
    const std::int64_t index = statement.value.items[1].integer;
    ir::Node node;
    node.op = ir::Op::Identity;
    node.name = uniqueName(target.name);
    node.sourceOp = "getitem";
    node.attributes.set("index", index);
    const Named* named = find(scope, base.text);
    if (!named)
        m_diagnostics.warn("fx.unknown_name", target.name,
            "The line reads \"" + base.text.substr(0, 100)
                + "\", which no line above it defines; the operand is left out.",
            "Print the whole graph again.");
    if (named && named->producer.isValid() && index >= 0) {
        const ir::ValueId part = outputAt(*named, static_cast<std::size_t>(index));
        if (part.isValid()) {
            m_graph.values[part].declared = annotation.type;
            m_graph.values[part].strides = annotation.strides;
            node.inputs.push_back(part);
        }
    } else if (named && named->value.isValid()) {
        node.op = ir::Op::Gather; // an element of a tensor
        node.inputs.push_back(named->value);
    }
    const ir::ValueId output =
        addValue(target.name, annotation, ir::ValueOrigin::NodeOutput, scope.block);
    node.outputs.push_back(output);
    addNode(scope, std::move(node));
    scope.names[target.name] = {output, {}, 0, nullptr};
}

/// a, b, = tree_flatten_spec(…): the leaves of the inputs.
void GraphBuilder::addUnpacked(Scope& scope, const Statement& statement) {
    for (const Target& target : statement.targets) {
        const auto known = scope.annotations.find(target.name);
        addInput(scope, target.name,
            known == scope.annotations.end() ? target.annotation : known->second);
    }
}

void GraphBuilder::collectValues(Scope& scope, const Expr& expr, std::vector<ir::ValueId>& values) {
    if (expr.is(Expr::Kind::Name)) {
        const Named* named = find(scope, expr.text);
        if (!named || named->module)
            return;
        const ir::ValueId value = named->value.isValid() ? named->value : outputAt(*named, 0);
        if (value.isValid())
            values.push_back(value);
        return;
    }
    for (const Expr& item : expr.items)
        collectValues(scope, item, values);
    for (const auto& [key, item] : expr.keywords)
        collectValues(scope, item, values);
}

void GraphBuilder::addCall(Scope& scope, const Statement& statement) {
    const Expr& value = statement.value;
    const bool isCall = value.is(Expr::Kind::Call);
    const bool isOperator = value.is(Expr::Kind::Binary) || value.is(Expr::Kind::Unary);
    ir::Node node;
    node.sourceOp = isCall ? targetOf(value.text)
        : isOperator       ? std::string(operatorName(value))
                           : std::string("literal");
    node.domain = domainOf(node.sourceOp);
    node.nameIsSynthetic = statement.targets.empty();
    const std::string name = statement.targets.empty() ? node.sourceOp : statement.targets[0].name;
    node.name = uniqueName(name);
    const Annotation annotation =
        annotationOf(name, statement.targets.empty() ? "" : statement.targets[0].annotation);
    Named named;
    const Row* row = findRow(node.sourceOp);
    std::size_t outputs = 0;
    std::size_t resultAt = 0;
    if (row) {
        NodeBuilder builder(*this, scope, *row, value, annotation);
        node = builder.build(std::move(node));
        outputs = builder.outputs();
        named.gap = builder.gap();
        resultAt = builder.resultAt();
    } else {
        collectValues(scope, value, node.inputs);
        if (node.domain != "higher_order")
            m_diagnostics.warn("fx.unknown_operator", node.sourceOp,
                "The operator is not known; its result has the type the text states.",
                "Open an issue with the operator's name.");
    }
    // A call of a known single result, or one whose type the text states, is a plain value.
    const bool isPlain =
        outputs == 0 && (row || annotation.type.shape || annotation.size || annotation.isTooLarge);
    if (isPlain) {
        named.value = addValue(name, annotation, ir::ValueOrigin::NodeOutput, scope.block);
        node.outputs.resize(resultAt + 1);
        node.outputs[resultAt] = named.value;
    }
    named.producer = addNode(scope, std::move(node));
    for (std::size_t i = 0; !isPlain && i < std::max<std::size_t>(outputs, 1); ++i)
        if (i < outputs)
            outputAt(named, i);
    if (isCall && !row)
        addHigherOrder(scope, value, named.producer);
    if (!statement.targets.empty())
        scope.names[statement.targets[0].name] = named;
}

/// The bodies of torch.ops.higher_order: cond is an If whose branches read the outer values, and
/// invoke_subgraph a call. Other operators keep their bodies to themselves.
void GraphBuilder::addHigherOrder(Scope& scope, const Expr& call, ir::NodeId id) {
    std::vector<const Module*> bodies;
    for (const Expr& item : call.items)
        if (item.is(Expr::Kind::Name))
            if (const Named* named = find(scope, item.text); named && named->module)
                bodies.push_back(named->module);
    if (bodies.empty())
        return;
    std::vector<ir::ValueId> operands;
    for (std::size_t i = 1; i < call.items.size(); ++i)
        collectValues(scope, call.items[i], operands);
    const std::string& target = m_graph.nodes[id].sourceOp;
    if (target == "higher_order.cond" && bodies.size() == 2) {
        std::unordered_map<std::string, Named> captured[2];
        for (std::size_t b = 0; b < 2; ++b)
            for (std::size_t i = 0; i < bodies[b]->parameters.size() && i < operands.size(); ++i)
                captured[b][bodies[b]->parameters[i].name] = {operands[i], {}, 0, nullptr};
        const auto first = addBody(*bodies[0], id, "then_branch", std::move(captured[0]), false);
        const auto second = addBody(*bodies[1], id, "else_branch", std::move(captured[1]), false);
        ir::Node& node = m_graph.nodes[id];
        node.op = ir::Op::If;
        if (node.inputs.size() > 1)
            node.inputs.resize(1);
        node.blocks = {first, second};
        return;
    }
    if (target == "higher_order.invoke_subgraph") {
        const auto body = addBody(*bodies[0], id, "function", {}, true);
        m_graph.nodes[id].op = ir::Op::Call;
        m_graph.nodes[id].blocks = {body};
        return;
    }
    m_diagnostics.info("fx.body_not_drawn", m_graph.nodes[id].name,
        "The bodies of " + target + " are not drawn; its results have the types the text states.");
}

ir::BlockId GraphBuilder::addBody(const Module& module, ir::NodeId owner, const std::string& role,
    std::unordered_map<std::string, Named> captured, bool) {
    ir::Block block;
    block.name = module.name;
    block.owner = owner;
    block.role = role;
    Scope scope{module, m_graph.blocks.add(std::move(block)), std::move(captured), {}};
    if (++m_depth <= kDeepestModule)
        buildModule(scope);
    --m_depth;
    return scope.block;
}

void GraphBuilder::addReturn(Scope& scope, const Expr& value) {
    std::vector<ir::ValueId> outputs;
    collectValues(scope, value, outputs);
    m_graph.blocks[scope.block].outputs = std::move(outputs);
}

void GraphBuilder::setUsers() {
    for (std::size_t i = 0; i < m_graph.nodes.size(); ++i)
        for (const ir::ValueId input : m_graph.nodes[ir::NodeId(i)].inputs)
            if (input.isValid())
                m_graph.values[input].users.emplace_back(i);
}

} // namespace fivefold::frontends::fx
