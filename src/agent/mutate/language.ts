/** Operator tokens that may stand for each other: a token is replaced by another one of its group. */
export interface OperatorGroups {
  readonly comparison: readonly (readonly string[])[];
  readonly arithmetic: readonly (readonly string[])[];
}

/** What the mutation operators need to know of a language; node types are those of its tree-sitter grammar. */
export interface Language {
  readonly name: string;
  /** The grammar's name in `@vscode/tree-sitter-wasm`. */
  readonly grammar: string;
  /** With the dot, lower case. */
  readonly extensions: readonly string[];
  /** Nodes whose direct children are statements. */
  readonly blocks: readonly string[];
  /** Statements that may be copied to another place. */
  readonly statements: readonly string[];
  /** Statements that may only be deleted, moved and swapped: a second copy would rarely compile. */
  readonly declarations: readonly string[];
  readonly numbers: readonly string[];
  readonly booleans: readonly string[];
  readonly operators: OperatorGroups;
  /** What stands in for the only statement of a block. */
  readonly emptyStatement: string;
  /** Whether `2` may become `1.9`, because the language does not tell integers from floats. */
  readonly looseNumbers: boolean;
}

/** Nodes of all grammars that hold an operator token as a direct child. */
export const OPERATOR_HOLDERS: readonly string[] = [
  'binary_expression',
  'binary_operator',
  'boolean_operator',
  'comparison_operator',
  'assignment_expression',
  'assignment_statement',
  'augmented_assignment',
  'augmented_assignment_expression',
  'compound_assignment_expr',
  'update_expression',
  'inc_statement',
  'dec_statement',
];

/** Nodes of all grammars that may hold the minus of a negative constant. */
export const SIGN_HOLDERS: readonly string[] = ['unary_expression', 'unary_operator'];

const C_OPERATORS: OperatorGroups = {
  comparison: [['<', '<=', '>', '>=', '==', '!=']],
  arithmetic: [
    ['+', '-', '*', '/', '%'],
    ['&', '|', '^'],
    ['<<', '>>'],
    ['&&', '||'],
    ['+=', '-=', '*=', '/='],
    ['&=', '|=', '^='],
    ['<<=', '>>='],
    ['++', '--'],
  ],
};

const SCRIPT_OPERATORS: OperatorGroups = {
  comparison: [
    ['<', '<=', '>', '>=', '===', '!=='],
    ['==', '!='],
  ],
  arithmetic: [...C_OPERATORS.arithmetic.filter((group) => !group.includes('<<')), ['<<', '>>', '>>>'], ['??', '||']],
};

const PYTHON_OPERATORS: OperatorGroups = {
  comparison: [
    ['<', '<=', '>', '>=', '==', '!='],
    ['is', 'is not'],
    ['in', 'not in'],
  ],
  arithmetic: [
    ['+', '-', '*', '/', '//', '%'],
    ['&', '|', '^'],
    ['<<', '>>'],
    ['and', 'or'],
    ['+=', '-=', '*=', '/=', '//='],
  ],
};

const SCRIPT = {
  blocks: ['program', 'statement_block', 'switch_case', 'switch_default'],
  statements: [
    'expression_statement',
    'if_statement',
    'for_statement',
    'for_in_statement',
    'while_statement',
    'do_statement',
    'switch_statement',
    'try_statement',
    'return_statement',
    'break_statement',
    'continue_statement',
    'throw_statement',
  ],
  declarations: ['lexical_declaration', 'variable_declaration', 'labeled_statement'],
  numbers: ['number'],
  booleans: ['true', 'false'],
  operators: SCRIPT_OPERATORS,
  emptyStatement: '',
  looseNumbers: true,
};

export const LANGUAGES: readonly Language[] = [
  { name: 'JavaScript', grammar: 'javascript', extensions: ['.js', '.mjs', '.cjs', '.jsx'], ...SCRIPT },
  { name: 'TypeScript', grammar: 'typescript', extensions: ['.ts', '.mts', '.cts'], ...SCRIPT },
  { name: 'TSX', grammar: 'tsx', extensions: ['.tsx'], ...SCRIPT },
  {
    name: 'Python',
    grammar: 'python',
    extensions: ['.py', '.pyi'],
    blocks: ['module', 'block'],
    statements: [
      'expression_statement',
      'if_statement',
      'for_statement',
      'while_statement',
      'try_statement',
      'with_statement',
      'match_statement',
      'return_statement',
      'break_statement',
      'continue_statement',
      'raise_statement',
      'assert_statement',
      'delete_statement',
    ],
    declarations: [],
    numbers: ['integer', 'float'],
    booleans: ['true', 'false'],
    operators: PYTHON_OPERATORS,
    emptyStatement: 'pass',
    looseNumbers: true,
  },
  {
    // C is parsed by the grammar of C++: the package ships no grammar of C, and the difference rarely shows.
    name: 'C and C++',
    grammar: 'cpp',
    extensions: ['.c', '.h', '.cc', '.cpp', '.cxx', '.hh', '.hpp', '.hxx', '.inl'],
    blocks: ['compound_statement', 'case_statement', 'preproc_if', 'preproc_ifdef', 'preproc_else', 'preproc_elif'],
    statements: [
      'expression_statement',
      'if_statement',
      'for_statement',
      'for_range_loop',
      'while_statement',
      'do_statement',
      'switch_statement',
      'try_statement',
      'return_statement',
      'break_statement',
      'continue_statement',
      'goto_statement',
      'throw_statement',
    ],
    declarations: ['declaration', 'labeled_statement'],
    numbers: ['number_literal'],
    booleans: ['true', 'false'],
    operators: C_OPERATORS,
    emptyStatement: '',
    looseNumbers: false,
  },
  {
    name: 'Go',
    grammar: 'go',
    extensions: ['.go'],
    blocks: ['statement_list'],
    statements: [
      'expression_statement',
      'assignment_statement',
      'inc_statement',
      'dec_statement',
      'send_statement',
      'if_statement',
      'for_statement',
      'expression_switch_statement',
      'type_switch_statement',
      'select_statement',
      'return_statement',
      'break_statement',
      'continue_statement',
      'defer_statement',
      'go_statement',
    ],
    declarations: ['short_var_declaration', 'var_declaration', 'const_declaration', 'labeled_statement'],
    numbers: ['int_literal', 'float_literal'],
    booleans: ['true', 'false'],
    operators: C_OPERATORS,
    emptyStatement: '',
    looseNumbers: false,
  },
  {
    name: 'Rust',
    grammar: 'rust',
    extensions: ['.rs'],
    blocks: ['block'],
    statements: ['expression_statement'],
    declarations: ['let_declaration'],
    numbers: ['integer_literal', 'float_literal'],
    booleans: ['boolean_literal'],
    operators: C_OPERATORS,
    emptyStatement: '',
    looseNumbers: false,
  },
  {
    name: 'Java',
    grammar: 'java',
    extensions: ['.java'],
    blocks: ['block', 'constructor_body', 'switch_block_statement_group'],
    statements: [
      'expression_statement',
      'if_statement',
      'for_statement',
      'enhanced_for_statement',
      'while_statement',
      'do_statement',
      'switch_expression',
      'try_statement',
      'return_statement',
      'break_statement',
      'continue_statement',
      'throw_statement',
    ],
    declarations: ['local_variable_declaration', 'labeled_statement'],
    numbers: ['decimal_integer_literal', 'hex_integer_literal', 'decimal_floating_point_literal'],
    booleans: ['true', 'false'],
    operators: C_OPERATORS,
    emptyStatement: '',
    looseNumbers: false,
  },
];

/** The language of a path by its extension; null where Clade has no grammar. */
export function languageOf(path: string): Language | null {
  const dot = path.lastIndexOf('.');
  if (dot <= path.lastIndexOf('/')) return null;
  const extension = path.slice(dot).toLowerCase();
  return LANGUAGES.find((language) => language.extensions.includes(extension)) ?? null;
}
