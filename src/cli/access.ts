// `chartroom access`: what accounts reach of a backend through its API, as a snapshot that CI compares.
import { readFile } from 'node:fs/promises'
import {
  AccessReview,
  compareAccess,
  findingText,
  markdownOf,
  matrixText,
  READS_ONLY,
  readSnapshot,
  type Review,
  snapshotOf,
  snapshotText,
} from '../services/access/index.ts'
import { addressOf, describeBackend } from './access/backend.ts'
import { readAccounts, signInAll } from './access/accounts.ts'
import { defineCommand, type ExitCode, reasonOf, UsageError } from './command.ts'
import { print, printData, startProgress } from './print.ts'
import { checkNew, fileReason, WRITE_FLAGS, writeNew } from './write-file.ts'
import { oneLine } from '../trace/index.ts'

/** Runs `chartroom access`; resolves to the exit code. */
export const accessCommand = defineCommand({
  usage: 'access --url URL --key KEY --account NAME=EMAIL [flags]',
  text: `Signs in as each account, and determines through the API what it may do: which rows it reads, inserts, updates
and deletes, which files, and which functions it calls. Writes are tried in transactions that are rolled back
(\`Prefer: tx=rollback\`); a backend that does not confirm this is only read. \`--out\` writes a snapshot, \`--check\`
compares with one.

Passwords are read from the environment: CHARTROOM_PASSWORD_NAME for an account NAME, or the variables that the file
of \`--accounts\` names. With CHARTROOM_SECRET_KEY, rows that no account sees are known, too.

Exit code: 0 reviewed, and no access changed; 1 access changed; 2 invalid arguments, unreadable file, refused sign-in or
unreachable backend.`,
  flags: {
    url: { type: 'string', value: 'URL', about: 'Base URL of the backend' },
    key: { type: 'string', value: 'KEY', about: 'The publishable or anon key; default: CHARTROOM_KEY' },
    account: {
      type: 'string',
      value: 'NAME=EMAIL',
      isRepeatable: true,
      about: 'An account; repeatable. The anonymous role is always reviewed',
    },
    accounts: {
      type: 'string',
      value: 'FILE',
      about: 'JSON file with accounts and settings (docs/guide/access.md)',
    },
    out: { type: 'string', value: 'FILE', about: 'Write the snapshot, e.g. access.snapshot.json' },
    check: { type: 'string', value: 'FILE', about: 'Compare with this snapshot' },
    schema: {
      type: 'string',
      value: 'FILE',
      about:
        'Tables and functions, as written by `chartroom schema`, for a backend that does not describe itself',
    },
    function: {
      type: 'string',
      value: 'NAME',
      isRepeatable: true,
      about: 'Also call this Edge Function, whose effects are not rolled back; repeatable',
    },
    skip: {
      type: 'string',
      value: 'NAME',
      isRepeatable: true,
      about: 'Leave out a table, bucket or function; repeatable',
    },
    'reads-only': { type: 'boolean', about: 'Try no writes, and compare none' },
    'show-rows': { type: 'boolean', about: 'Print the rows that prove a change, not only their keys' },
    markdown: { type: 'boolean', about: 'Print the matrix as Markdown' },
    json: { type: 'boolean', about: 'Print the snapshot and the changes as JSON' },
    ...WRITE_FLAGS,
  },
  takes: [0, 0, 'name'],
  explain: error => `Access could not be reviewed. ${reasonOf(error)}`,
  async run({ values }): Promise<ExitCode> {
    const { out, check, json, markdown, force, 'show-rows': showsRows, 'reads-only': readsOnly } = values
    if (json && markdown) throw new UsageError('--json and --markdown exclude each other.')
    const before = check === undefined ? undefined : await snapshotIn(check)
    if (out !== undefined) await checkNew(out, force)
    const address = addressOf(values)
    const settings = await readAccounts(values)
    const backend = await describeBackend(address, values.schema)
    const session = await signInAll(backend, settings)
    const review = new AccessReview({
      accounts: session.accounts,
      catalog: backend.catalog,
      send: session.send,
      owners: settings.owners,
      skip: [...settings.skip, ...values.skip],
      edgeFunctions: [...settings.functions, ...values.function],
      ...(readsOnly ? { readsOnly } : {}),
    })
    const result = await run(review, session.end)
    if (before) assertComparable(before, result, readsOnly)
    const findings = before ? compareAccess(before, result, backend.catalog) : []
    if (out !== undefined) await writeNew(out, snapshotText(result), force)
    const changes = findings.map(finding => findingText(finding, showsRows))
    if (json) {
      printData(`${JSON.stringify({ snapshot: snapshotOf(result), findings }, null, 1)}\n`)
    } else if (markdown) {
      printData(markdownOf(result))
      if (changes.length > 0) printData(`\n## Changes\n\n${fenced(changes.join('\n\n'))}\n`)
    } else {
      print(before === undefined ? matrixText(result) : changes.map(change => `${change}\n\n`).join(''))
      print(summaryOf(result, { out, check, findings: findings.length }))
    }
    return findings.length > 0 ? 1 : 0
  },
})

/** A code block that no text inside of it can end. */
function fenced(text: string): string {
  const ticks = '`'.repeat(Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length)) + 1)
  return `${ticks}\n${text}\n${ticks}`
}

async function snapshotIn(file: string) {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new UsageError(`--check ${file} can't be read: ${fileReason(error)}. \`--out ${file}\` writes it.`)
  })
  try {
    return readSnapshot(text)
  } catch (error) {
    throw new UsageError(`--check ${file} can't be used: ${reasonOf(error)}.`)
  }
}

async function run(review: AccessReview, end: () => Promise<void>): Promise<Review> {
  const progress = startProgress('Reviewing access', 'steps')
  const signal = new AbortController().signal
  try {
    while (review.label !== undefined) {
      progress.at(review.done, review.total)
      await review.next(signal)
    }
  } finally {
    progress.end()
    await end()
  }
  return review.result()
}

/** @throws Error if the comparison would leave out accounts or writes without saying so */
function assertComparable(before: ReturnType<typeof readSnapshot>, after: Review, readsOnly: boolean): void {
  const names = after.accounts.toSorted().join(', ')
  const accountNames = before.accounts.toSorted().join(', ')
  if (names !== accountNames)
    throw new Error(
      `The snapshot is of the accounts ${accountNames}, but ${names} were given. Use the same, or write it again.`,
    )
  if (before.writes && !after.writes && !readsOnly)
    throw new Error(
      'The snapshot has writes, but this backend does not roll back writes. Set `pgrst.db_tx_end` to `commit-allow-override` (docs/guide/access.md), or add --reads-only.',
    )
}

function summaryOf(
  { accounts, resources, writes }: Review,
  {
    out,
    check,
    findings,
  }: { readonly out: string | undefined; readonly check: string | undefined; readonly findings: number },
): string {
  const what = `${resources.length} ${resources.length === 1 ? 'resource' : 'resources'}, ${accounts.length} accounts`
  const changes = findings === 1 ? '1 change' : `${findings} changes`
  const compared = check === undefined ? '' : ` ${changes} since ${oneLine(check)}.`
  const written = out === undefined ? '' : ` Written to ${oneLine(out)}.`
  return `${what}.${compared}${written}${writes ? '' : ` ${READS_ONLY}`}\n`
}
