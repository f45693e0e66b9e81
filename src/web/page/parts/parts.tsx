import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { ApiError } from '../api.ts';
import { hrefOf } from '../route.ts';

/** What went wrong, where the answer would be. */
export function Trouble({ error }: { readonly error: ApiError | null }) {
  if (error === null) return null;
  return (
    <p class="trouble" role="alert">
      {error.message} {error.hint}
    </p>
  );
}

/** Text of agents, candidates and evaluators: shown as text, whatever is in it. */
export function Text({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section class="text" tabIndex={0} aria-label={label}>
      <pre>{text}</pre>
    </section>
  );
}

/** A long text behind its name. */
export function Folded({ label, text }: { readonly label: string; readonly text: string | null }) {
  if (text === null || text === '') return null;
  return (
    <details>
      <summary>{label}</summary>
      <Text label={label} text={text} />
    </details>
  );
}

/** Something wider than a phone: it scrolls by itself, also by keyboard. */
export function Wide({ label, children }: { readonly label: string; readonly children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section class="wide" tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}

export function JobLink({ name, ordinal }: { readonly name: string; readonly ordinal: number }) {
  return <a href={hrefOf({ page: 'job', name, ordinal })}>{ordinal === 0 ? 'root' : `job ${ordinal}`}</a>;
}

export function JobLinks({ name, ordinals }: { readonly name: string; readonly ordinals: readonly number[] }) {
  if (ordinals.length === 0) return <>none</>;
  return (
    <>
      {ordinals.map((ordinal, index) => (
        <>
          {index > 0 && ', '}
          <JobLink key={ordinal} name={name} ordinal={ordinal} />
        </>
      ))}
    </>
  );
}

/** A command to copy into a terminal. */
export function Command({ text }: { readonly text: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
  };
  return (
    <p class="command">
      <code>{text}</code>
      <button type="button" onClick={copy}>
        copy
      </button>
      <span role="status">{copied ? 'copied' : ''}</span>
    </p>
  );
}

/** Name and value, one after the other. */
export function Facts({ facts }: { readonly facts: readonly (readonly [string, ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
