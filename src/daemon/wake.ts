/** Lets one loop sleep until something happened; a call to `wake` while nobody sleeps is remembered. */
export interface Wake {
  wake(): void;
  /** Resolves to true when woken, to false after `timeoutMs`. */
  sleep(timeoutMs: number): Promise<boolean>;
}

export function createWake(): Wake {
  let pending = false;
  let rouse: (() => void) | null = null;
  return {
    wake() {
      pending = true;
      rouse?.();
    },
    sleep(timeoutMs) {
      return new Promise((resolve) => {
        const end = (): void => {
          clearTimeout(timer);
          rouse = null;
          const woken = pending;
          pending = false;
          resolve(woken);
        };
        const timer = setTimeout(end, timeoutMs);
        rouse = end;
        if (pending) end();
      });
    },
  };
}
