import { useEffect, useState } from 'preact/hooks';
import { ApiError, get } from './api.ts';

export interface Resource<T> {
  /** The latest answer; kept while a newer one is on its way, and when that one fails. */
  readonly value: T | null;
  readonly error: ApiError | null;
}

const NOTHING = { path: null, value: null, error: null };

/** The answer at a path of the API, asked for anew when `tick` changes; null asks for nothing. */
export function useResource<T>(path: string | null, tick = 0): Resource<T> {
  const [state, setState] = useState<Resource<T> & { readonly path: string | null }>(NOTHING);
  useEffect(() => {
    if (path === null) return;
    const leaving = new AbortController();
    get<T>(path, leaving.signal).then(
      (value) => setState({ path, value, error: null }),
      (reason) => {
        if (leaving.signal.aborted) return;
        const error = reason instanceof ApiError ? reason : new ApiError(String(reason), null);
        setState((before) => ({ path, value: before.path === path ? before.value : null, error }));
      },
    );
    return () => leaving.abort();
  }, [path, tick]);
  return state.path === path ? state : NOTHING;
}
