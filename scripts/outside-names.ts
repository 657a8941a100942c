// Finds what names something outside of the repository: hosts, owners of repositories, and packages that a command
// downloads by name.

/** Domains reserved for documentation and tests, addresses, and names of one label, which no registrar sells. */
const RESERVED =
  /(?:^|\.)(?:test|example|invalid|localhost|internal|example\.(?:com|net|org))$|^[\d.]+$|^0x[\da-f.]+$/

/** Third parties whose documentation, services or formats are meant. */
const THIRD_PARTIES: ReadonlySet<string> = new Set([
  'accounts.google.com',
  'api.twilio.com',
  'deno.land',
  'developer.mozilla.org',
  'docs.postgrest.org',
  'github.com',
  'gmail.com',
  'json-schema.org',
  'modelcontextprotocol.io',
  'nodejs.org',
  'registry.npmjs.org',
  'stately.ai',
  'tanstack.com',
  'www.npmjs.com',
  'www.w3.org',
  'xstate.js.org',
])

/** Supabase's own domains: only it gives out names below them. */
const OF_SUPABASE = /(?:^|\.)supabase\.(?:com|co|in|io|red)$/

const HOST =
  /(?:\b[a-z][a-z+.-]*:|["'\x60(=])\/\/(?:[^\s/@'"`<>]*@)?([\w-]+(?:\.[\w-]+)*\.[a-z]{2,})(?![\w-])(?!\.\w)/gi
const MAIL = /[\w.+-]+@((?:[\w-]+\.)+[a-z]{2,})\b/gi

/** The hosts of a text's URLs and email addresses that anyone could register. */
export function strangeHosts(text: string): string[] {
  const hosts = [...text.matchAll(HOST), ...text.matchAll(MAIL)].map(([, host = '']) => host.toLowerCase())
  return hosts.filter(host => !RESERVED.test(host) && !THIRD_PARTIES.has(host) && !OF_SUPABASE.test(host))
}

const OWNERS: ReadonlySet<string> = new Set(['actions', 'statelyai', 'supabase'])
const REPOSITORY = /github\.com[/:](?:orgs\/)?([\w-]+)\/|\buses:\s*["']?([\w-]+)\//g

/** The owners of repositories in a text's links and workflows that are not known. */
export const strangeOwners = (text: string): string[] =>
  [...text.matchAll(REPOSITORY)]
    .map(([, linked, used]) => linked ?? used ?? '')
    .filter(owner => !OWNERS.has(owner))

const FLAGS = String.raw`(?:\s+(?:-[\w-]+(?:=\S+)?|--))*`
const OURS = String.raw`["'\x60]?(?:@chartroom\/[\w-]+|chartroom(?:-backend)?)(?![\w/.-])`
/** Runs a package by its name, and downloads it if it is missing. */
const RUNS = String.raw`(?:npx|pnpx|bunx|(?:pnpm|yarn)\s+(?:dlx|create)|bun\s+(?:x|create)|npm\s+(?:exec|x|create|init))`
/** Installs packages by their names. */
const INSTALLS = String.raw`(?:npm|pnpm|yarn|bun)\s+(?:i|install|add)(?:\s+(?!(?:&&|\|\|))[^\s;&|"'\x60]+)*?`
const DOWNLOADS = new RegExp(
  String.raw`\b(?:${RUNS}${FLAGS}\s+${OURS}|${INSTALLS}\s+${OURS}|npm:${OURS})`,
  'g',
)

/** The commands of a text that download one of the packages' names, which are not registered on npm. */
export const downloads = (text: string): string[] => text.match(DOWNLOADS) ?? []
