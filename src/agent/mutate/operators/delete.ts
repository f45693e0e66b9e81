import { defineOperator } from '../operator.ts';
import { quote, removal } from '../statement.ts';

export const deleteStatement = defineOperator({
  name: 'delete',
  weight: 2,
  sites: (source) => source.statements,
  apply: (statement, source) => ({
    edits: [removal(source, statement)],
    at: statement.start,
    description: `delete ${quote(source, statement)}`,
  }),
});
