// `chartroom migrate`: replaces the clients of supabase-js and @supabase/ssr in a code base, and reports what it left.
import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { styleText } from 'node:util'
import { createTwoFilesPatch } from 'diff'
import { MagicString } from 'magic-string'
import { oneLine, jsonText } from '../trace/index.ts'
import { defineCommand, type ExitCode } from './command.ts'
import { installSentence } from './install-command.ts'
import { migrateModule } from './migrate-module.ts'
import { isSource, modulesOf, ParseFailure, type SourceModule } from './migrate-source.ts'
import { type Remark, reexportsIn } from './migrate-uses.ts'
import { print, printData } from './print.ts'
import { fileReason, writeNew } from './write-file.ts'

export const migrateCommand = defineCommand({
  usage: 'migrate [DIR] [flags]',
  text: `Replaces createClient of @supabase/supabase-js with createChartroomClient, and createBrowserClient and
createServerClient of @supabase/ssr with those of chartroom/ssr, in the TypeScript, JavaScript, Vue, Svelte
and Astro files of a folder (default: this one). It reports with file and line what it left and why: server code without
@supabase/ssr, options that are refused, dynamic imports. Clients with secret keys and generated files stay, with
a note. Formatting and comments stay. Running it again changes nothing more.

Exit code: 0 nothing is left to do, 1 some places must be changed by hand, 2 failed.`,
  flags: {
    'dry-run': { type: 'boolean', about: 'Print the changes as a diff, and write nothing' },
    json: { type: 'boolean', about: 'Print one JSON object' },
  },
  takes: [0, 1, 'folder'],
  async run({ values: { 'dry-run': isDry, json }, names: [folder = '.'] }): Promise<ExitCode> {
    const plan = await planMigration(folder)
    if (!isDry) for (const { path, after } of plan.changes) await writeNew(path, after, true)
    if (json) print(`${jsonText(reportOf(plan, isDry))}\n`)
    else {
      if (isDry) for (const change of plan.changes) printData(patchOf(change))
      print(`${await summaryOf(folder, plan, isDry)}\n`)
    }
    return plan.remarks.some(({ kind }) => kind === 'left') ? 1 : 0
  },
})

interface Change {
  readonly path: string
  /** Relative to the folder, with forward slashes. */
  readonly file: string
  readonly before: string
  readonly after: string
  /** Number of rewritten calls. */
  readonly calls: number
}

interface Place extends Pick<Remark, 'kind' | 'text' | 'ifUsed'> {
  readonly file: string
  readonly line: number
}

interface Plan {
  /** Number of files that were looked at. */
  readonly files: number
  readonly changes: readonly Change[]
  readonly remarks: readonly Place[]
}

interface SourceFile {
  readonly path: string
  readonly file: string
  readonly text: string
  readonly modules: readonly SourceModule[]
}

/** Most files contain none of these, and are not even parsed. */
const MENTIONS = ['@supabase/', 'createClient']

/** @throws Error if the folder cannot be read */
async function planMigration(folder: string): Promise<Plan> {
  const root = await stat(folder).catch((error: unknown) => {
    throw new Error(`${folder} can't be read: ${fileReason(error)}. Name the folder of the app.`, {
      cause: error,
    })
  })
  const paths = root.isDirectory() ? await filesIn(folder) : [folder]
  const remarks: Place[] = []
  const texts: Pick<SourceFile, 'path' | 'file' | 'text'>[] = []
  for (const path of paths) {
    const file = relative(root.isDirectory() ? folder : dirname(folder), path)
      .split(sep)
      .join('/')
    const text = await readText(path)
    if (text !== undefined) texts.push({ path, file, text })
    else remarks.push({ file, line: 1, kind: 'left', text: 'it is not encoded in UTF-8' })
  }
  const parsed = (mentions: readonly string[], except: readonly string[] = []) =>
    texts
      .filter(
        ({ text }) => mentions.some(one => text.includes(one)) && !except.some(one => text.includes(one)),
      )
      .flatMap((source): SourceFile[] => {
        try {
          return [{ ...source, modules: modulesOf(source.path, source.text) }]
        } catch (error) {
          if (!(error instanceof ParseFailure)) throw error
          const [line, text] = [lineOf(source.text, error.at), `it does not parse: ${error.message}`]
          remarks.push({ file: source.file, line, kind: 'left', text })
          return []
        }
      })
  const sources = parsed(MENTIONS)
  const reexports = reexportsOfAll(sources)
  const changes: Change[] = []
  // Modules that know `createClient` by another name.
  for (const source of [...sources, ...parsed([...reexports.values()].flat(), MENTIONS)]) {
    const { calls, after, places } = migrateFile(source, reexports)
    if (after !== source.text && isGenerated(source.text)) {
      remarks.push(...places.filter(({ kind }) => kind === 'left'), ...(await aliasRemarks(source)))
      continue
    }
    remarks.push(...places)
    if (after !== source.text) changes.push({ ...source, before: source.text, after, calls })
  }
  const moduleTexts = [...changes.map(({ after }) => after), ...texts.map(({ text }) => text)]
  const isUsed = (entry: string) =>
    moduleTexts.some(text => text.includes(`'${entry}'`) || text.includes(`"${entry}"`))
  const places = remarks
    .filter(({ ifUsed }) => ifUsed === undefined || isUsed(ifUsed))
    .map(({ file, line, kind, text }) => ({ file, line, kind, text }))
  return { files: paths.length, changes: sorted(changes), remarks: sorted(places) }
}

/** Whether a comment at the start says that a program writes the file. */
function isGenerated(text: string): boolean {
  const head = text.slice(0, 1_000)
  return /generated/i.test(head) && /(?:do not|don['’]t|never) (?:edit|modify|change)/i.test(head)
}

const VITE_CONFIGS = ['ts', 'mts', 'js', 'mjs', 'cts', 'cjs'].map(ending => `vite.config.${ending}`)

/** How a page gets our client from a file that must not change: by the plugin for Vite. */
async function aliasRemarks({ path, file }: SourceFile): Promise<Place[]> {
  const config = await nearestFile(dirname(resolve(path)), VITE_CONFIGS)
  if (config?.text.includes(ALIAS_ENTRY)) return []
  const text = config
    ? `it is generated, so it was not changed; in ${basename(config.path)}, write: import { chartroomAlias } from '${ALIAS_ENTRY}' – and: plugins: [chartroomAlias(), …]`
    : 'it is generated, so it was not changed; create the client in another file, or remove that sentence and run this again'
  return [{ file, line: 1, kind: config ? 'note' : 'left', text }]
}

const ALIAS_ENTRY = 'chartroom/vite'

/** The first of these files in a folder or in the nearest one above. */
async function nearestFile(
  folder: string,
  names: readonly string[],
): Promise<{ readonly path: string; readonly text: string } | undefined> {
  for (const name of names) {
    const path = join(folder, name)
    const text = await readFile(path, 'utf8').catch(() => undefined)
    if (text !== undefined) return { path, text }
  }
  const above = dirname(folder)
  return above === folder ? undefined : nearestFile(above, names)
}

const sorted = <Item extends { readonly file: string }>(items: readonly Item[]): Item[] =>
  items.toSorted((one, b) => (one.file < b.file ? -1 : one.file > b.file ? 1 : 0))

/** Names under which files export `createClient` of supabase-js again, by path. */
const reexportsOfAll = (sources: readonly SourceFile[]): Map<string, string[]> =>
  new Map(
    sources.flatMap(source => {
      const reexports = source.modules.flatMap(module => reexportsIn(module).map(({ name }) => name))
      return reexports.length === 0 ? [] : [[resolve(source.path), reexports] as const]
    }),
  )

function migrateFile(source: SourceFile, reexports: ReadonlyMap<string, readonly string[]>) {
  const out = new MagicString(source.text)
  const reexportsOf = (specifier: string) =>
    reexports.get(importedFile(source, specifier, reexports) ?? '') ?? []
  let calls = 0
  const places: Place[] = []
  for (const module of source.modules) {
    const migrated = migrateModule(module, out, { file: source.file, reexportsOf })
    const remarks = reexportsIn(module).map(({ name, at }): Remark => ({
      at,
      kind: 'note',
      text: `exports supabase-js's createClient as ${name}; imports of it by a relative path are migrated`,
    }))
    calls += migrated.calls
    for (const { at, ...remark } of [...migrated.remarks, ...remarks])
      places.push({ file: source.file, line: lineOf(source.text, module.start + at), ...remark })
  }
  return { calls, after: out.toString(), places: places.sort((one, b) => one.line - b.line) }
}

/** The file that a relative import means, if it is one of these. */
function importedFile(
  { path }: SourceFile,
  specifier: string,
  paths: ReadonlyMap<string, unknown>,
): string | undefined {
  if (!specifier.startsWith('.')) return undefined
  const target = resolve(dirname(path), specifier)
  // Imports leave the ending away, name it, or name the ending of the compiled file.
  return [...paths.keys()].find(
    file =>
      file === target ||
      [target, target.replace(/\.[cm]?jsx?$/, ''), join(target, 'index')].includes(withoutEnding(file)),
  )
}

const withoutEnding = (file: string) => file.replace(/\.[^./\\]+$/, '')

const SKIPPED: readonly string[] = ['node_modules', 'dist', 'build', 'out', 'coverage', 'vendor']

/** The source files of a folder, without those that are installed, built or hidden. */
async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const files: string[] = []
  for (const entry of entries.sort((one, b) => (one.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name)
    if (entry.isDirectory() && !entry.name.startsWith('.') && !SKIPPED.includes(entry.name))
      files.push(...(await filesIn(path)))
    if (entry.isFile() && isSource(entry.name)) files.push(path)
  }
  return files
}

/** The text of a file with its byte order mark; undefined if it is not UTF-8. */
async function readText(path: string): Promise<string | undefined> {
  const bytes = await readFile(path).catch((error: unknown) => {
    throw new Error(`${path} can't be read: ${fileReason(error)}`, { cause: error })
  })
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

const lineOf = (text: string, at: number) => text.slice(0, at).split('\n').length

const patchOf = ({ file, before, after }: Change) =>
  createTwoFilesPatch(`a/${file}`, `b/${file}`, before, after, undefined, undefined, { context: 2 })

const reportOf = ({ files, changes, remarks }: Plan, isDry: boolean) => ({
  files,
  written: !isDry,
  changes: changes.map(({ file, calls }) => ({ file, calls })),
  remarks,
})

async function summaryOf(folder: string, { files, changes, remarks }: Plan, isDry: boolean): Promise<string> {
  const places = ({ kind, file, line, text }: Place) =>
    `${kind === 'left' ? styleText('yellow', 'LEFT') : 'NOTE'}  ${oneLine(`${file}:${line}`)}  ${oneLine(text)}`
  const left = remarks.filter(({ kind }) => kind === 'left').length
  const calls = changes.reduce((sum, change) => sum + change.calls, 0)
  return [
    ...changes.map(change => `${styleText('green', 'DONE')}  ${oneLine(change.file)}`),
    ...remarks.map(places),
    `${counted(files, 'file')} read, ${counted(calls, 'client')} in ${counted(changes.length, 'file')} ${
      isDry ? 'would be migrated' : 'migrated'
    }, ${counted(left, 'place')} left.`,
    ...(changes.length > 0 && !(await hasPackage(resolve(folder)))
      ? [`Install the package: ${installSentence('chartroom')}`]
      : []),
  ].join('\n')
}

const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`

/** Whether the nearest package.json names the package. */
const hasPackage = async (folder: string): Promise<boolean> =>
  (await nearestFile(folder, ['package.json']))?.text.includes('"chartroom"') === true
