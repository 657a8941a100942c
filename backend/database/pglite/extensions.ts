// PostgreSQL extensions: PGlite ships them as bundles, and each is loaded on first use.
import { basename, dirname } from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import type { Extensions } from '../engine.ts'
import { asOnEitherProject, extensionStatements, replaceExtensions } from '../extensions.ts'
import { OWN_EXTENSIONS, type OwnExtension } from '../service-extensions/index.ts'
import { type BundleFile, PREFIX, shippedExtensions, unpackExtension } from './binaries.ts'
import { filesOf } from './wasm-files.ts'

const FOLDER = `${PREFIX}/share/postgresql/extension`

/** The version of the backend's own extensions in databases of earlier backends. */
const FIRST_VERSION = '1.0'

export interface PgliteExtensions extends Extensions {
  /** Makes extensions that a database has in some versions available again. */
  restore(installed: readonly { readonly name: string; readonly version: string }[]): Promise<void>
}

/** Loads extensions into one PGlite, each once: those that it ships, and those of the backend. */
export function createExtensions(driver: PGlite): PgliteExtensions {
  const provided = new Set<string>()
  const available = new Set(shippedExtensions())
  /** Default versions. */
  const versions = new Map<string, string>()
  const copiedFiles = new Set<string>()
  const place = ({ path, bytes }: BundleFile) => {
    const files = filesOf(driver)
    files.mkdirTree(dirname(path))
    // PostgreSQL only reads these files, so databases can share the bytes.
    files.writeFile(path, bytes, { canOwn: true })
    copiedFiles.add(path)
  }
  const provide = async (names: Iterable<string>) => {
    const missing = [...new Set(names)].filter(name => !provided.has(name))
    const installable = missing.filter(name => available.has(name))
    const bundles = await Promise.all(installable.map(unpackExtension))
    const ownFiles = missing.filter(name => !available.has(name)).flatMap(filesOfOwn)
    const all = [...bundles.flat(), ...ownFiles]
    for (const file of all) place(file)
    for (const name of missing) provided.add(name)
    const controls = all.flatMap(readControl)
    for (const { name, version } of controls) versions.set(name, version)
    for (const name of missing) provideVersion(name, FIRST_VERSION)
    const needed = controls.flatMap(({ requires }) => requires)
    if (needed.length > 0) await provide(needed)
  }
  /** Makes a version that hosted projects may have the same as the one that exists here. */
  const provideVersion = (name: string, version: string) => {
    const existing = versions.get(name)
    if (existing === undefined || existing === version || !/^[\w.+]+(?:-[\w.+]+)*$/.test(version)) return
    for (const step of [`${existing}--${version}`, `${version}--${existing}`]) {
      const path = `${FOLDER}/${name}--${step}.sql`
      if (!copiedFiles.has(path)) place({ path, bytes: new Uint8Array() })
    }
  }
  return {
    provide,
    async provideFor(sql) {
      // The project asks which there are.
      if (/\bpg_available_extension/i.test(sql)) await provide([...Object.keys(OWN_EXTENSIONS), ...available])
      const statements = extensionStatements(sql)
      await provide(statements.map(({ name }) => name))
      for (const { name, version } of statements) if (version !== undefined) provideVersion(name, version)
      return atHome(asOnEitherProject(sql), name => !available.has(name))
    },
    async restore(installed) {
      await provide(installed.map(({ name }) => name))
      for (const { name, version } of installed) provideVersion(name, version)
    },
    list: async () => ({
      owner: 'The embedded PostgreSQL',
      isServer: false,
      available: [...available, ...Object.keys(OWN_EXTENSIONS)].sort(),
      empty: Object.entries(OWN_EXTENSIONS).flatMap(([name, { works }]) => (works ? [] : [name])),
    }),
  }
}

/** A script that installs extensions in the schemas that they always have, whatever it says. */
function atHome(sql: string, isOwn: (name: string) => boolean): string {
  return replaceExtensions(sql, ({ kind, name, version, ifNotExists, rest }) => {
    if (kind !== 'create' || OWN_EXTENSIONS[name]?.home === undefined || !isOwn(name)) return undefined
    const condition = ifNotExists ? ' if not exists' : ''
    const inVersion = version === undefined ? '' : ` version "${version}"`
    return `create extension${condition} ${name}${inVersion}${/\bcascade\b/i.test(rest) ? ' cascade' : ''}`
  })
}

function filesOfOwn(name: string): BundleFile[] {
  const extension = OWN_EXTENSIONS[name]
  if (extension === undefined) return []
  const path = `${FOLDER}/${name}`
  return [
    { path: `${path}.control`, bytes: Buffer.from(controlOf(extension)) },
    { path: `${path}--${extension.version}.sql`, bytes: Buffer.from(extension.script) },
  ]
}

const controlOf = ({ script, version, works, requires, home }: OwnExtension) => `comment = '${
  works ? 'simulated' : 'in name only'
} in the embedded backend'
default_version = '${version}'
relocatable = ${home === undefined && !script.includes('@extschema@')}
${home === undefined ? '' : `schema = '${home}'\n`}${requires === undefined ? '' : `requires = '${requires}'\n`}`

/** What the control file of an extension says. */
function readControl({ path, bytes }: BundleFile) {
  if (!path.endsWith('.control')) return []
  const name = basename(path, '.control')
  const text = Buffer.from(bytes).toString()
  const valueOf = (key: string) =>
    new RegExp(String.raw`^[ \t]*${key}[ \t]*=[ \t]*'([^']*)'`, 'm').exec(text)?.[1] ?? ''
  const requires = valueOf('requires')
    .split(',')
    .map(required => required.trim())
  return [
    { name, version: valueOf('default_version'), requires: requires.filter(required => required !== '') },
  ]
}
