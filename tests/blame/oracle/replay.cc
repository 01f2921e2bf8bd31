// SPDX-License-Identifier: BSD-3-Clause
// replay.cc - `oracle replay`: runs through the program again as its trace says, and keeps with
// each value and each byte of memory the set of work that it needed.
//
// An element of a set is an instruction's position in the source, together with the call path that
// it ran in. A recursive call with the same call and function as one in the path does not make the
// path longer.
//
//      explicit   operands, addresses, memory
//      implicit   the newest branch that decided that the block runs (Ferrante's rule on
//                 post-dominators), and all that this branch needed
#include "memory.h"
#include "program.h"

#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/Support/raw_ostream.h>

#include <cstdio>
#include <cstdlib>
#include <tuple>

#include "trace.h"

using namespace llvm;
using namespace oracle;

namespace {

struct Context { // a call path
	uint32_t parent;
	const Function *function;
	unsigned line, column; // of the call, in the parent
};

struct Element {
	uint32_t context;
	unsigned line, column;
	uint64_t weight = 0; // instructions that ran
};

// Which branches decide that a block runs.
using Controllers = DenseMap<const BasicBlock *, std::vector<const BasicBlock *>>;

Controllers findControllers(Function &function)
{
	Controllers controllers;
	PostDominatorTree tree(function);
	for (BasicBlock &from : function)
		for (BasicBlock *to : successors(&from)) {
			if (from.getTerminator()->getNumSuccessors() < 2)
				continue;
			auto *stop = tree.getNode(&from) ? tree.getNode(&from)->getIDom() : nullptr;
			for (auto *node = tree.getNode(to); node && node != stop;
				node = node->getIDom())
				if (node->getBlock())
					controllers[node->getBlock()].push_back(&from);
		}
	return controllers;
}

struct Frame {
	const Function *function = nullptr;
	uint64_t activation = 0;
	uint32_t context = 0;
	uint32_t control = 0;        // why the call ran
	uint32_t variadic = 0;       // arguments beyond the named ones
	uint64_t overflowBytes = 0;  // of these, on the stack
	DenseMap<const Value *, uint32_t> values;
	DenseMap<const BasicBlock *, std::pair<uint64_t, uint32_t>> decided; // time, set
	const BasicBlock *block = nullptr;
	uint32_t blockControl = 0;
	BasicBlock::const_iterator next;
	// the call that runs
	const CallBase *call = nullptr;
	std::vector<uint64_t> words;
	uint32_t inside = 0; // what a library function knows; else what the callee returned
};

class Replay {
public:
	Replay(Module &module, FILE *file, bool explicitOnly)
	    : module(module), layout(module.getDataLayout()), numbers(module), memory(sets),
	      file(file), explicitOnly(explicitOnly)
	{
		for (Function &function : module)
			if (!function.isDeclaration()) {
				controllers[&function] = findControllers(function);
				for (BasicBlock &block : function)
					blocks[&function].push_back(&block);
			}
	}

	void run()
	{
		trace_record record;
		while (take(record))
			step(record);
	}
	void print();

private:
	Module &module;
	const DataLayout &layout;
	Numbers numbers;
	Sets sets;
	Memory memory;
	FILE *file;
	bool explicitOnly;
	uint64_t clock = 0;
	std::map<const Function *, Controllers> controllers;
	std::map<const Function *, std::vector<const BasicBlock *>> blocks;
	std::vector<Frame> frames;
	std::vector<Context> contexts;
	std::map<std::tuple<uint32_t, const Function *, unsigned, unsigned>, uint32_t>
		contextNumber;
	std::vector<Element> elements;
	std::map<std::tuple<uint32_t, unsigned, unsigned>, uint32_t> elementNumber;

	[[noreturn]] void fail(const char *reason)
	{
		errs() << "oracle: not followed: " << reason << "\n";
		exit(3);
	}
	bool take(trace_record &record) { return fread(&record, sizeof record, 1, file) == 1; }
	uint64_t word()
	{
		trace_record record;
		if (!take(record))
			finish();
		if (record.kind != TRACE_VALUE)
			fail("the trace does not fit the program");
		return record.value;
	}
	[[noreturn]] void finish()
	{
		print();
		exit(0);
	}

	void step(const trace_record &record)
	{
		switch (record.kind) {
		case TRACE_SYMBOL: return addSymbol(record.id, record.value);
		case TRACE_ENTER: return enter(record.id, record.value);
		case TRACE_BLOCK: return goTo(record.id);
		case TRACE_RETURN: return returned(record.id, record.value);
		default: fail("the trace does not fit the program");
		}
	}

	void addSymbol(uint32_t id, uint64_t address)
	{
		auto *global = dyn_cast<GlobalVariable>(numbers.symbols.at(id));
		SmallVector<DIGlobalVariableExpression *, 1> names;
		if (global)
			global->getDebugInfo(names);
		if (names.empty())
			return;
		memory.place(address, layout.getTypeAllocSize(global->getValueType()),
			memory.add({ Object::Global, names[0]->getVariable()->getName().str() }));
	}

	uint32_t contextOf(uint32_t parent, const Function *function, unsigned line,
			   unsigned column)
	{
		for (uint32_t c = parent; c != UINT32_MAX; c = contexts[c].parent)
			if (contexts[c].function == function && contexts[c].line == line &&
			    contexts[c].column == column)
				return c;
		auto [place, isNew] = contextNumber.try_emplace(
			std::make_tuple(parent, function, line, column), uint32_t(contexts.size()));
		if (isNew)
			contexts.push_back({ parent, function, line, column });
		return place->second;
	}

	// The element of an instruction that runs now.
	uint32_t element(const Frame &frame, const Instruction &instruction)
	{
		unsigned line = 0, column = 0;
		if (const DILocation *place = instruction.getDebugLoc())
			line = place->getLine(), column = place->getColumn();
		auto [found, isNew] = elementNumber.try_emplace(
			std::make_tuple(frame.context, line, column), uint32_t(elements.size()));
		if (isNew)
			elements.push_back({ frame.context, line, column });
		elements[found->second].weight++;
		return sets.one(found->second);
	}

	static uint32_t get(const Frame &frame, const Value *value)
	{
		return frame.values.lookup(value);
	}
	uint32_t join(uint32_t a, uint32_t b) { return sets.join(a, b); }
	uint32_t operands(const Frame &frame, const User &user, uint32_t set)
	{
		for (const Value *operand : user.operands())
			set = join(set, get(frame, operand));
		return set;
	}

	void enter(uint32_t id, uint64_t activation);
	void goTo(uint32_t id);
	void runOn();
	bool execute(const Instruction &instruction);
	void store(Frame &frame, const StoreInst &store, uint32_t set);
	void addLocal(const AllocaInst &alloca);
	bool callNow(const CallBase &call, uint32_t set);
	void startCall(Frame &frame, const CallBase &call, uint32_t set);
	void returned(uint32_t id, uint64_t activation);
	uint32_t applyModel(Frame &frame, const Model &model, uint64_t result);
	uint64_t lengthOf(const Frame &frame, const Range &range);
	void countStack(Frame &callee, const Frame &caller);
	void printStack(uint32_t element);
	std::vector<std::set<uint32_t>> ownersOfBlocks();
	std::map<std::string, std::string> joinNames(const std::vector<std::set<uint32_t>> &owners);
};

// Which part of the variadic arguments is on the stack, by the calling convention of x86-64.
void Replay::countStack(Frame &callee, const Frame &caller)
{
	unsigned words = 0, reals = 0;
	uint64_t bytes = 0;
	for (unsigned i = 0; i < caller.call->arg_size(); i++) {
		Type *type = caller.call->getArgOperand(i)->getType();
		if (caller.call->isByValArgument(i))
			bytes += (layout.getTypeAllocSize(caller.call->getParamByValType(i)) + 7) &
				~7ull;
		else if (type->isX86_FP80Ty())
			bytes += 32;
		else if (type->isFPOrFPVectorTy())
			bytes += ++reals > 8 ? 8 : 0;
		else
			bytes += ++words > 6 ? 8 : 0;
	}
	callee.overflowBytes = bytes;
}

void Replay::enter(uint32_t id, uint64_t activation)
{
	auto *function = dyn_cast<Function>(numbers.symbols.at(id));
	if (!function)
		fail("the trace does not fit the program");
	Frame frame;
	frame.function = function;
	frame.activation = activation;
	if (frames.empty() || !frames.back().call) {
		frames.clear(); // a constructor, main, or what runs at exit
		frame.context = contextOf(UINT32_MAX, function, 0, 0);
		for (const Argument &argument : function->args())
			if (argument.hasByValAttr())
				word();
		frames.push_back(std::move(frame));
		return;
	}
	Frame &caller = frames.back();
	const DILocation *place = caller.call->getDebugLoc();
	frame.context = contextOf(caller.context, function, place ? place->getLine() : 0,
		place ? place->getColumn() : 0);
	frame.control = explicitOnly ? 0 : caller.blockControl;
	auto *callee = dyn_cast<Function>(caller.call->getCalledOperand()->stripPointerCasts());
	bool calledBack = callee && callee->isDeclaration();
	for (const Argument &argument : function->args()) {
		unsigned i = argument.getArgNo();
		bool has = !calledBack && i < caller.call->arg_size();
		frame.values[&argument] = calledBack ? caller.inside
			: has ? join(get(caller, caller.call->getArgOperand(i)), caller.inside) : 0;
		if (argument.hasByValAttr()) {
			uint64_t size = layout.getTypeAllocSize(argument.getParamByValType());
			uint64_t to = word();
			memory.clear(to, size);
			if (has)
				memory.copy(to, caller.words[i], size, caller.inside);
		}
	}
	for (unsigned i = function->arg_size(); !calledBack && i < caller.call->arg_size(); i++) {
		frame.variadic = join(frame.variadic, get(caller, caller.call->getArgOperand(i)));
		if (caller.call->isByValArgument(i))
			frame.variadic = join(frame.variadic, memory.load(caller.words[i],
				layout.getTypeAllocSize(caller.call->getParamByValType(i))));
	}
	countStack(frame, caller);
	frames.push_back(std::move(frame));
}

void Replay::goTo(uint32_t id)
{
	if (frames.empty())
		fail("the trace does not fit the program");
	Frame &frame = frames.back();
	const BasicBlock *from = frame.block, *to = blocks[frame.function].at(id);
	uint32_t fromControl = frame.blockControl;
	std::pair<uint64_t, uint32_t> newest = { 0, 0 };
	for (const BasicBlock *controller : controllers[frame.function].lookup(to)) {
		auto decided = frame.decided.find(controller);
		if (decided != frame.decided.end() && decided->second.first >= newest.first)
			newest = decided->second;
	}
	frame.block = to;
	frame.blockControl = explicitOnly ? 0 : join(frame.control, newest.second);
	frame.next = to->begin();
	std::vector<std::pair<const Value *, uint32_t>> meets; // all at once
	for (const PHINode &phi : to->phis()) {
		uint32_t set = element(frame, phi);
		if (from && phi.getBasicBlockIndex(from) >= 0)
			set = join(set, get(frame, phi.getIncomingValueForBlock(from)));
		meets.push_back({ &phi, join(set, explicitOnly ? 0 : fromControl) });
		++frame.next;
	}
	for (auto &[phi, set] : meets)
		frame.values[phi] = set;
	runOn();
}

// Runs the block to its end or to a call.
void Replay::runOn()
{
	while (true) {
		Frame &frame = frames.back();
		if (frame.next == frame.block->end())
			return;
		const Instruction &instruction = *frame.next++;
		if (!execute(instruction))
			return;
	}
}

void Replay::store(Frame &frame, const StoreInst &store, uint32_t set)
{
	uint64_t address = word();
	uint64_t size = layout.getTypeStoreSize(store.getValueOperand()->getType());
	memory.store(address, size, join(operands(frame, store, set), frame.blockControl));
	if (store.getValueOperand()->getType()->isPointerTy())
		memory.storePointer(address, word());
}

void Replay::addLocal(const AllocaInst &alloca)
{
	uint64_t address = word(), count = word();
	uint64_t size = layout.getTypeAllocSize(alloca.getAllocatedType()) * count;
	memory.clear(address, size);
	if (alloca.getFunction()->getName() != "main")
		return;
	auto *value = const_cast<AllocaInst *>(&alloca);
	std::string name;
	for (DbgVariableRecord *record : findDVRDeclares(value))
		name = record->getVariable()->getName().str();
	for (DbgDeclareInst *declare : findDbgDeclares(value))
		name = declare->getVariable()->getName().str();
	if (!name.empty())
		memory.place(address, size, memory.add({ Object::Local, name }));
}

// False: what follows needs the next record.
bool Replay::execute(const Instruction &instruction)
{
	Frame &frame = frames.back();
	if (auto *call = dyn_cast<CallBase>(&instruction))
		if (kindOf(*call) == Kind::Nothing)
			return true;
	if (auto *alloca = dyn_cast<AllocaInst>(&instruction)) {
		addLocal(*alloca);
		return true;
	}
	uint32_t set = element(frame, instruction);
	switch (instruction.getOpcode()) {
	case Instruction::Load:
		set = operands(frame, instruction, set);
		frame.values[&instruction] =
			join(set, memory.load(word(),
					      layout.getTypeStoreSize(instruction.getType())));
		return true;
	case Instruction::Store:
		store(frame, cast<StoreInst>(instruction), set);
		return true;
	case Instruction::AtomicRMW:
	case Instruction::AtomicCmpXchg: {
		uint64_t address = word();
		Type *type = instruction.getOperand(1)->getType();
		uint64_t size = layout.getTypeStoreSize(type);
		set = join(operands(frame, instruction, set), memory.load(address, size));
		frame.values[&instruction] = set;
		memory.store(address, size, join(set, frame.blockControl));
		return true;
	}
	case Instruction::Br:
	case Instruction::Switch:
		if (instruction.getNumSuccessors() > 1)
			frame.decided[frame.block] = { ++clock,
				join(join(set, get(frame, instruction.getOperand(0))),
					frame.blockControl) };
		return false;
	case Instruction::Ret: {
		uint32_t result = join(operands(frame, instruction, set), frame.blockControl);
		frames.pop_back();
		if (!frames.empty())
			frames.back().inside = join(frames.back().inside, result);
		return false;
	}
	case Instruction::Unreachable:
		return false;
	case Instruction::Call:
		return callNow(cast<CallBase>(instruction), set);
	default:
		frame.values[&instruction] = operands(frame, instruction, set);
		return true;
	}
}

bool Replay::callNow(const CallBase &call, uint32_t set)
{
	Frame &frame = frames.back();
	switch (kindOf(call)) {
	case Kind::Move: {
		uint64_t to = word(), from = word(), size = word();
		memory.copy(to, from, size, join(operands(frame, call, set), frame.blockControl));
		return true;
	}
	case Kind::Fill: {
		uint64_t to = word();
		word();
		memory.store(to, word(), join(operands(frame, call, set), frame.blockControl));
		return true;
	}
	case Kind::VaStart: {
		uint64_t list = word(), overflow = word(), saved = word();
		memory.store(list, 24, join(set, frame.blockControl));
		memory.store(saved, 176, frame.variadic);
		memory.store(overflow, frame.overflowBytes, frame.variadic);
		return true;
	}
	case Kind::VaCopy: {
		uint64_t to = word();
		memory.copy(to, word(), 24, join(set, frame.blockControl));
		return true;
	}
	case Kind::Call:
		startCall(frame, call, set);
		return false;
	default:
		frame.values[&call] = operands(frame, call, set);
		return true;
	}
}

void Replay::startCall(Frame &frame, const CallBase &call, uint32_t set)
{
	frame.call = &call;
	frame.words.clear();
	for (unsigned i = 0; i < call.arg_size(); i++)
		frame.words.push_back(word());
	auto *callee = dyn_cast<Function>(call.getCalledOperand()->stripPointerCasts());
	frame.inside = callee && callee->isDeclaration()
		? operands(frame, call, set) : join(set, get(frame, call.getCalledOperand()));
	// what a callback is given: all that the routine can read
	if (callee && callee->isDeclaration())
		for (const Range &range : findModel(callee->getName())->ranges)
			if (!range.writes && range.length != 's')
				frame.inside = join(frame.inside, memory.load(
					frame.words.at(range.argument), lengthOf(frame, range)));
}

uint64_t Replay::lengthOf(const Frame &frame, const Range &range)
{
	switch (range.length) {
	case 'n': return frame.words.at(range.first);
	case 'm': return frame.words.at(range.first) * frame.words.at(range.second);
	case 'k': return frame.words.at(range.argument) ? range.first : 0;
	default: return word();
	}
}

// The strings' lengths are in the trace, in the order of the ranges.
uint32_t Replay::applyModel(Frame &frame, const Model &model, uint64_t result)
{
	uint32_t known = frame.inside;
	std::vector<std::pair<uint64_t, uint64_t>> writes;
	if (model.copies)
		memory.copy(frame.words.at(0), frame.words.at(1), frame.words.at(2),
			join(known, frame.blockControl));
	for (const Range &range : model.ranges) {
		uint64_t at = frame.words.at(range.argument), size = lengthOf(frame, range);
		if (range.writes)
			writes.push_back({ at, size });
		else
			known = join(known, memory.load(at, size));
	}
	for (auto &[at, size] : writes)
		if (at)
			memory.store(at, size, join(known, frame.blockControl));
	if (model.heap && result) {
		const DILocation *place = frame.call->getDebugLoc();
		uint64_t size = frame.words.back(), old = 0;
		StringRef name = frame.call->getCalledOperand()->getName();
		if (name == "calloc")
			size *= frame.words.at(0);
		if (name == "realloc")
			old = std::min(size, memory.sizeAt(frame.words.at(0)));
		uint32_t block = memory.add({ Object::Heap,
			"heap:" + std::to_string(place ? place->getLine() : 0) });
		if (old && frame.words.at(0) != result) {
			memory.clear(result, size);
			memory.place(result, size, block);
			memory.copy(result, frame.words.at(0), old, known);
		} else if (!old) {
			memory.clear(result, size);
			memory.place(result, size, block);
			if (name == "calloc")
				memory.store(result, size, join(known, frame.blockControl));
		}
	}
	return known;
}

void Replay::returned(uint32_t id, uint64_t activation)
{
	while (!frames.empty() && frames.back().activation != activation)
		frames.pop_back(); // left by longjmp
	if (frames.empty())
		fail("the trace does not fit the program");
	Frame &frame = frames.back();
	const CallBase *call = numbers.calls.at(id);
	auto *callee = dyn_cast<Function>(call->getCalledOperand()->stripPointerCasts());
	uint64_t result = word();
	if (frame.call != call) { // setjmp returns again
		frame.call = call;
		frame.block = call->getParent();
	}
	if (callee && callee->isDeclaration())
		frame.inside = applyModel(frame, *findModel(callee->getName()), result);
	frame.values[call] = frame.inside;
	frame.call = nullptr;
	frame.next = std::next(call->getIterator());
	runOn();
}

// For each heap block: the objects with a name that lead to it in the fewest steps; variables of
// main come before globals.
std::vector<std::set<uint32_t>> Replay::ownersOfBlocks()
{
	std::vector<std::set<uint32_t>> owners(memory.objects.size());
	for (int kind : { Object::Local, Object::Global }) {
		std::vector<bool> closed(memory.objects.size());
		for (uint32_t i = 0; i < owners.size(); i++)
			closed[i] = !owners[i].empty();
		std::map<uint32_t, std::set<uint32_t>> front; // object -> objects that lead to it
		for (uint32_t i = 0; i < memory.objects.size(); i++)
			if (memory.objects[i].kind == kind)
				front[i] = { i };
		while (!front.empty()) {
			std::map<uint32_t, std::set<uint32_t>> next;
			for (auto &[object, from] : front)
				for (uint32_t block : memory.objects[object].edges)
					if (!closed[block])
						next[block].insert(from.begin(), from.end());
			for (auto &[block, from] : next) {
				owners[block] = from;
				closed[block] = true;
			}
			front = std::move(next);
		}
	}
	return owners;
}

void Replay::printStack(uint32_t element)
{
	const Element &e = elements[element];
	unsigned line = e.line, column = e.column;
	printf("element %u %llu", element, (unsigned long long)e.weight);
	for (uint32_t c = e.context; c != UINT32_MAX; c = contexts[c].parent) {
		printf(" %s:%u:%u", contexts[c].function->getName().str().c_str(), line, column);
		line = contexts[c].line;
		column = contexts[c].column;
	}
	printf("\n");
}

// If several names lead to the same heap block in equally few steps, they become one variable,
// `list|n`, because the run does not tell which of them names the block.
std::map<std::string, std::string> Replay::joinNames(const std::vector<std::set<uint32_t>> &owners)
{
	std::map<std::string, std::set<std::string>> groups;
	for (const Object &object : memory.objects)
		groups[object.name].insert(object.name);
	for (const std::set<uint32_t> &several : owners) {
		std::set<std::string> all;
		for (uint32_t owner : several) {
			const auto &group = groups[memory.objects[owner].name];
			all.insert(group.begin(), group.end());
		}
		for (const std::string &name : all)
			groups[name] = all;
	}
	std::map<std::string, std::string> joined;
	for (auto &[name, group] : groups)
		for (const std::string &one : group)
			joined[name] += (joined[name].empty() ? "" : "|") + one;
	return joined;
}

void Replay::print()
{
	std::map<std::pair<int, std::string>, uint32_t> variables;
	auto owners = ownersOfBlocks();
	auto names = joinNames(owners);
	for (uint32_t i = 0; i < memory.objects.size(); i++) {
		const Object &object = memory.objects[i];
		for (uint32_t owner : owners[i]) {
			const Object &named = memory.objects[owner];
			uint32_t &set = variables[{ named.kind, names[named.name] }];
			set = join(set, object.set);
		}
		if (!owners[i].empty())
			continue;
		uint32_t &set = variables[{ object.kind, names[object.name] }];
		set = join(set, object.set);
	}
	for (uint32_t i = 0; i < elements.size(); i++)
		printStack(i);
	static const char *const kinds[] = { "local", "global", "heap" };
	for (auto &[name, set] : variables) {
		if (!set)
			continue;
		printf("variable %s %s", kinds[name.first], name.second.c_str());
		for (uint32_t e : sets.elements(set))
			printf(" %u", e);
		printf("\n");
	}
}

} // namespace

int replay(Module &module, const char *trace, bool explicitOnly)
{
	FILE *file = fopen(trace, "rb");
	if (!file) {
		errs() << "oracle: error: cannot open '" << trace << "'\n";
		return 1;
	}
	Replay replay(module, file, explicitOnly);
	replay.run();
	replay.print();
	fclose(file);
	return 0;
}
