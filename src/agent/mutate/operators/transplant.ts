import { type Hunk, hunksBetween, locate } from '../hunk.ts';
import { defineOperator } from '../operator.ts';
import type { Span } from '../text.ts';

/** A hunk of an inspiration, made in the base where the lines around it are the same. */
export const transplantHunk = defineOperator({
  name: 'transplant',
  weight: 4,
  sites: (source, { inspirations }) =>
    inspirations.flatMap(({ ordinal, files }) =>
      files
        .filter((file) => file.path === source.path)
        .flatMap((file) => (file.before === null || file.after === null ? [] : hunksBetween(file.before, file.after)))
        .flatMap((hunk): { ordinal: number; hunk: Hunk; span: Span }[] => {
          const span = locate(hunk, source.text, source.lines);
          return span === null ? [] : [{ ordinal, hunk, span }];
        }),
    ),
  apply: ({ ordinal, hunk, span }, source) => {
    const text = hunk.added.join('');
    if (source.text.slice(span.start, span.end) === text) return null;
    return {
      edits: [{ ...span, text }],
      at: span.start,
      description: `transplant −${hunk.removed.length} +${hunk.added.length} lines of #${ordinal}`,
    };
  },
});
