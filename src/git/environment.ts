/** What a transport needs to reach a remote: agents, proxies, certificates. Nothing that can change what Git does. */
const NETWORK = [
  'SSH_AUTH_SOCK',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'ALL_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'all_proxy',
  'no_proxy',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
];

/**
 * The complete environment of a Git process: nothing else is inherited, so no GIT_DIR, hook, alias, signing key or
 * attribute file of the user or the machine can change a result. `home` is a folder without Git configuration.
 */
export function gitEnvironment(home: string, extra: Readonly<Record<string, string>> = {}): Record<string, string> {
  const passed = Object.fromEntries(
    ['PATH', 'TMPDIR', ...NETWORK].flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
  return {
    ...passed,
    HOME: home,
    LC_ALL: 'C',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_SYSTEM: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_REPLACE_OBJECTS: '1', // an agent may have written refs/replace
    GIT_OPTIONAL_LOCKS: '0',
    ...extra,
  };
}

const NAME = 'Clade';
const EMAIL = 'clade@localhost';

/** Whole seconds, UTC. */
const stampOf = (date: Date): string => `${Math.floor(date.getTime() / 1000)} +0000`;

/** The one identity under which Clade commits, for a Git process. */
export function identity(date: Date): Record<string, string> {
  const stamp = `@${stampOf(date)}`;
  return {
    GIT_AUTHOR_NAME: NAME,
    GIT_AUTHOR_EMAIL: EMAIL,
    GIT_AUTHOR_DATE: stamp,
    GIT_COMMITTER_NAME: NAME,
    GIT_COMMITTER_EMAIL: EMAIL,
    GIT_COMMITTER_DATE: stamp,
  };
}

/** The same as a commit holds it. */
export function signature(date: Date): string {
  return `${NAME} <${EMAIL}> ${stampOf(date)}`;
}
