import type {
  Argument,
  FunctionCall,
  Combination,
  Comparison,
  Condition,
  Field,
  Not,
  Operand,
  Quantifier,
  Tree,
} from '../language/ast.ts';
import { textTests } from '../language/field-tests.ts';
import type { CheckContext, CheckSubject } from './check-finding.ts';

interface Inventory {
  readonly combinations: Combination[];
  readonly negations: Not[];
  readonly quantifiers: Quantifier[];
  readonly comparisons: Comparison[];
  readonly operands: Operand[];
  readonly fields: Field[];
  readonly calls: FunctionCall[];
}

/** Walks a tree once and lists its parts by kind, so that each rule looks only at what concerns it. */
export function takeInventory(text: string, tree: Tree, context: CheckContext = {}): CheckSubject {
  const inventory: Inventory = {
    combinations: [],
    negations: [],
    quantifiers: [],
    comparisons: [],
    operands: [],
    fields: [],
    calls: [],
  };
  if (tree.mode === 'filter') {
    visitCondition(inventory, tree.root);
  } else {
    visitOperand(inventory, tree.root);
  }
  return { text, tree, context, ...inventory, texts: textTests(inventory) };
}

function visitCondition(inventory: Inventory, condition: Condition): void {
  switch (condition.kind) {
    case 'or':
    case 'xor':
    case 'and':
      inventory.combinations.push(condition);
      for (const item of condition.items) {
        visitCondition(inventory, item);
      }
      return;
    case 'not':
      inventory.negations.push(condition);
      visitCondition(inventory, condition.item);
      return;
    case 'group':
      visitCondition(inventory, condition.item);
      return;
    case 'quantifier':
      inventory.quantifiers.push(condition);
      visitArgument(inventory, condition.argument);
      return;
    case 'bare':
      visitOperand(inventory, condition.operand);
      return;
    case 'comparison':
      inventory.comparisons.push(condition);
      visitOperand(inventory, condition.left);
      if (condition.right.kind === 'operand') {
        visitOperand(inventory, condition.right);
      }
      return;
    default:
      condition satisfies never;
  }
}

function visitOperand(inventory: Inventory, operand: Operand): void {
  inventory.operands.push(operand);
  if (operand.source.kind === 'field') {
    inventory.fields.push(operand.source);
    return;
  }
  inventory.calls.push(operand.source);
  for (const argument of operand.source.arguments) {
    visitArgument(inventory, argument);
  }
}

function visitArgument(inventory: Inventory, argument: Argument): void {
  if (argument.kind === 'operand') {
    visitOperand(inventory, argument);
  } else if (argument.kind === 'condition') {
    visitCondition(inventory, argument.condition);
  }
}
