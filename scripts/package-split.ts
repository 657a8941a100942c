// Divides the compiled modules between the packages: `chartroom` has what a client needs, `@chartroom/devtools` the
// rest, which imports the others from it.
import { existsSync } from 'node:fs'
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, posix } from 'node:path'
import { MagicString } from 'magic-string'
import { parseSync, type EcmaScriptModule } from 'oxc-parser'
import { parseAndWalk } from 'oxc-walker'

/** How modules of another package import this one's: `chartroom/internal/machines/ports.js`. */
export const INTERNAL = 'chartroom/internal'

/** A part of the text of a module that names another one. */
interface Reference {
  readonly from: number
  readonly to: number
  readonly specifier: string
}

const IMPORTED_TYPE = /\bimport\(["']([^"']+)["']\)(?:\.(\w+))?/g
const MODULE_URL = /\bnew URL\(["'`](\.[^"'`]+)["'`], ?import\.meta\.url\)/g
/** Whether it is a name, and neither the default export nor all of them. */
const isName = ({ kind }: { readonly kind: string }) => kind === 'Name'
const isModule = (file: string) => /\.(?:js|d\.ts)$/.test(file)

/** The compiled modules below a folder, read once. Paths are relative to it. */
export class ModuleTree {
  readonly #texts = new Map<string, string>()
  readonly #parsed = new Map<string, EcmaScriptModule>()
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  async #read(file: string): Promise<{ readonly text: string; readonly module: EcmaScriptModule }> {
    const text = this.#texts.get(file) ?? (await readFile(join(this.#folder, file), 'utf8'))
    this.#texts.set(file, text)
    const module = this.#parsed.get(file) ?? parseSync(file, text, { sourceType: 'module' }).module
    this.#parsed.set(file, module)
    return { text, module }
  }

  async #write(file: string, text: string): Promise<void> {
    this.#texts.set(file, text)
    this.#parsed.delete(file)
    await writeFile(join(this.#folder, file), text)
  }

  /** The file that a relative specifier of `file` names: a type names the types of a module. */
  #target(file: string, specifier: string): string | undefined {
    // A URL may name a folder.
    if (!/^\.{1,2}\/.*\.\w+$/.test(specifier)) return undefined
    const path = posix.normalize(posix.join(posix.dirname(file), specifier))
    const named = file.endsWith('.d.ts') ? path.replace(/\.js$/, '.d.ts') : path
    return existsSync(join(this.#folder, named)) ? named : undefined
  }

  /** Where a name is defined that `file` exports: it may only pass it on. */
  async #origin(file: string, name: string): Promise<{ readonly file: string; readonly name: string }> {
    const { module } = await this.#read(file)
    for (const { entries } of module.staticExports)
      for (const { exportName, importName, moduleRequest } of entries) {
        if (exportName.name !== name || !moduleRequest || !isName(importName)) continue
        const next = this.#target(file, moduleRequest.value)
        if (next !== undefined) return this.#origin(next, importName.name ?? name)
      }
    return { file, name }
  }

  /**
   * Makes a module import each name from the file that defines it. Bundlers that keep whole modules would otherwise
   * load everything that an index exports.
   */
  async importFiles(file: string): Promise<void> {
    const { text, module } = await this.#read(file)
    const edited = new MagicString(text)
    const specifierOf = (target: string) => {
      const path = posix.relative(posix.dirname(file), target.replace(/\.d\.ts$/, '.js'))
      return path.startsWith('.') ? path : `./${path}`
    }
    /** Keeps the lines of the module, which its source map counts. */
    const replace = (start: number, end: number, statements: readonly string[]) => {
      const lines = text.slice(start, end).split('\n').length - 1
      edited.overwrite(start, end, statements.join(' ') + '\n'.repeat(lines))
    }
    for (const { start, end, moduleRequest, entries } of module.staticImports) {
      const target = this.#target(file, moduleRequest.value)
      if (target === undefined || !isModule(target) || entries.length === 0) continue
      const isType = /^import type\b/.test(text.slice(start, end))
      if (entries.some(({ importName }) => !isName(importName))) continue
      const statements = entries.map(async ({ importName, localName, isType: isTypeOnly }) => {
        const origin = await this.#origin(target, importName.name ?? '')
        const name = origin.name === localName.value ? origin.name : `${origin.name} as ${localName.value}`
        return `import ${isType || isTypeOnly ? 'type ' : ''}{ ${name} } from '${specifierOf(origin.file)}';`
      })
      replace(start, end, merged(await Promise.all(statements)))
    }
    for (const { start, end, entries } of module.staticExports) {
      // An import whose name is exported elsewhere in the module is listed here, too.
      if (!text.startsWith('export', start)) continue
      const passed = entries.filter(({ moduleRequest }) => moduleRequest)
      if (passed.length === 0 || passed.some(({ importName }) => !isName(importName))) continue
      const isType = /^export type\b/.test(text.slice(start, end))
      const statements = passed.map(async ({ importName, exportName, moduleRequest, isType: isTypeOnly }) => {
        const target = this.#target(file, moduleRequest?.value ?? '')
        const origin =
          target === undefined
            ? { file: undefined, name: importName.name ?? '' }
            : await this.#origin(target, importName.name ?? '')
        const name = origin.name === exportName.name ? origin.name : `${origin.name} as ${exportName.name}`
        const from = origin.file === undefined ? moduleRequest?.value : specifierOf(origin.file)
        return `export ${isType || isTypeOnly ? 'type ' : ''}{ ${name} } from '${from}';`
      })
      replace(start, end, merged(await Promise.all(statements)))
    }
    if (file.endsWith('.d.ts'))
      for (const { index, 0: whole, 1: specifier = '', 2: name } of text.matchAll(IMPORTED_TYPE)) {
        const target = this.#target(file, specifier)
        if (target === undefined || name === undefined) continue
        const origin = await this.#origin(target, name)
        const replaced = `import('${specifierOf(origin.file)}').${origin.name}`
        edited.overwrite(index, index + whole.length, replaced)
      }
    if (edited.hasChanged()) await this.#write(file, edited.toString())
  }

  /**
   * Replaces the types of machines, which spell out every state and event: no public type depends on them, and two
   * were larger than all other types together.
   */
  async generalizeMachines(file: string): Promise<void> {
    const { text } = await this.#read(file)
    if (!text.includes('StateMachine<')) return
    const edited = new MagicString(text)
    parseAndWalk(text, file, function (node) {
      if (node.type !== 'TSImportType' || node.source.value !== 'xstate') return
      if (node.qualifier?.type !== 'Identifier' || node.qualifier.name !== 'StateMachine') return
      edited.overwrite(node.start, node.end, 'import("xstate").AnyStateMachine')
      this.skip()
    })
    if (edited.hasChanged()) await this.#write(file, edited.toString())
  }

  /** Every file that a module names. */
  async #references(file: string): Promise<Reference[]> {
    const { text, module } = await this.#read(file)
    const named = [
      ...module.staticImports.map(({ moduleRequest }) => moduleRequest),
      ...module.staticExports.flatMap(({ entries }) => entries.flatMap(entry => entry.moduleRequest ?? [])),
    ].map(({ start, end, value }) => ({ from: start + 1, to: end - 1, specifier: value }))
    const dynamic = module.dynamicImports.map(({ moduleRequest: { start, end } }) => ({
      from: start + 1,
      to: end - 1,
      specifier: text.slice(start + 1, end - 1),
    }))
    const others = [
      ...text.matchAll(MODULE_URL),
      ...(file.endsWith('.d.ts') ? text.matchAll(IMPORTED_TYPE) : []),
    ]
    const matched = others.map(({ index, 0: whole, 1: specifier = '' }) => {
      const from = index + whole.indexOf(specifier)
      return { from, to: from + specifier.length, specifier }
    })
    const unique = new Map([...named, ...dynamic, ...matched].map(reference => [reference.from, reference]))
    return [...unique.values()].filter(({ specifier }) => specifier.startsWith('.'))
  }

  /** The modules that these need, and themselves. A module and its types need different ones. */
  async needed(entries: readonly string[]): Promise<ReadonlySet<string>> {
    const found = new Set<string>()
    const visit = async (file: string): Promise<void> => {
      if (found.has(file) || !existsSync(join(this.#folder, file))) return
      found.add(file)
      if (!isModule(file)) return
      for (const { specifier } of await this.#references(file)) {
        const target = this.#target(file, specifier)
        if (target !== undefined) await visit(target)
      }
    }
    for (const entry of entries) await visit(entry)
    return found
  }

  /** Copies files to `out`, with their source maps; those of `other` are imported from that package. */
  async copy(files: ReadonlySet<string>, out: string, other: ReadonlySet<string> = new Set()): Promise<void> {
    for (const file of files) {
      if (other.has(file)) continue
      const path = join(out, file)
      await mkdir(dirname(path), { recursive: true })
      if (!isModule(file)) {
        await copyFile(join(this.#folder, file), path)
        continue
      }
      const edited = new MagicString((await this.#read(file)).text)
      for (const { from, to, specifier } of await this.#references(file)) {
        const target = this.#target(file, specifier)
        if (target !== undefined && other.has(target))
          edited.overwrite(from, to, `${INTERNAL}/${target.replace(/\.d\.ts$/, '.js')}`)
      }
      await writeFile(path, edited.toString())
      const map = `${file}.map`
      if (existsSync(join(this.#folder, map))) await copyFile(join(this.#folder, map), join(out, map))
    }
  }
}

/** Statements that import from the same file, as one. */
function merged(statements: readonly string[]): string[] {
  const byFile = new Map<string, string[]>()
  for (const statement of statements) {
    const [, head = '', name = '', from = ''] =
      /^(\w+(?: type)?) \{ (.*) \} from '(.*)';$/.exec(statement) ?? []
    const key = `${head}|${from}`
    byFile.set(key, [...(byFile.get(key) ?? []), name])
  }
  return [...byFile].map(([key, names]) => {
    const [head, from] = key.split('|')
    return `${head} { ${names.join(', ')} } from '${from}';`
  })
}
