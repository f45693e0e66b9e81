/** The judge's types; evaluators are plain JavaScript, pinned as they are. */
declare module '*/planted/judge.mjs' {
  export const MODULES: readonly string[];
  export const BEST_SCORE: number;
  export function judge(read: (name: string) => string | undefined):
    | {
        readonly status: 'valid';
        readonly objectives: { readonly score: number; readonly cost: number };
        readonly identity: string;
        readonly summary: string;
      }
    | { readonly status: 'invalid'; readonly kind: string; readonly summary: string };
}
