// Checks the paths of docs/architecture.md: that each file exists, and that it imports or is imported by
// another file of its path, or is called through a contract. Prints how many files each path has, and how
// many boundaries between products it crosses.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from './tool.ts'

const PAGE = 'docs/architecture.md'
const SECTION = /^## Four paths$([\s\S]*?)^## /m
/** A path: its name in bold, then its steps. */
const PATH = /^\*\*(.+?)\*\*[^\n]*\n\n((?:\d+\. [^\n]*\n)+)/gm
const FILE = /`([\w./-]+\.tsx?)`/g
/** Packages that do not import each other meet here. */
const CONTRACTS = 'services/runtime/contracts.ts'
const IMPORT = /(?:\bfrom\s+|\bimport\(\s*)'(\.[^']+)'/g
const NAMES = /\b(?:import|export)\b(?:\s+type)?\s*\{([^}]*)\}\s*from\s*'(\.[^']+)'/g

const textOf = (file: string) => readFileSync(join(root, 'src', file), 'utf8')
const target = (file: string, source: string) => join(dirname(file), source)

/** The modules that a module imports; in place of an index, those that declare what is imported from it. */
function importsOf(file: string): string[] {
  const text = textOf(file)
  const direct = [...text.matchAll(IMPORT)].map(([, source = '']) => target(file, source))
  const declared = [...text.matchAll(NAMES)].flatMap(([, names = '', source = '']) => {
    const from = target(file, source)
    return namesIn(names).map(name => declaring(from, name))
  })
  return [...direct, ...declared]
}

const namesIn = (list: string) =>
  list
    .split(',')
    .map(
      name =>
        name
          .trim()
          .replace(/^type /, '')
          .split(' as ')[0] ?? '',
    )
    .filter(name => name !== '')

function declaring(index: string, name: string): string {
  if (!/(?:^public\/|\/index\.ts$)/.test(index)) return index
  for (const [, names = '', source = ''] of textOf(index).matchAll(NAMES))
    if (namesIn(names.replaceAll(/\w+ as /g, '')).includes(name))
      return declaring(target(index, source), name)
  return index
}

/** What every product is built on is part of none. */
const SHARED: ReadonlySet<string> = new Set(['trace', 'runtime'])

/** Machines count to the product whose code runs them: those of the workbench to it, all others to the client. */
const productOf = (file: string) => {
  const folders = file
    .replace(/^machines\/(?!workbench\/)/, 'client/')
    .replace(/^machines\//, '')
    .split('/')
  const [first = '', second = ''] = folders
  return first === 'services' || first === 'ui' ? second : first
}

function check(name: string, steps: string): string[] {
  const files = [...steps.matchAll(FILE)].map(([, file = '']) => file)
  const missing = files.filter(file => !existsSync(join(root, 'src', file)))
  if (missing.length > 0) return missing.map(file => `${name}: src/${file} does not exist.`)
  const repeated = files.filter((file, at) => files.indexOf(file) !== at)
  const imports = new Map(files.map(file => [file, importsOf(file)]))
  const isLinked = (a: string, b: string) =>
    a !== b &&
    [a, CONTRACTS].some(
      file => imports.get(b)?.includes(file) && (file === a || imports.get(a)?.includes(file)),
    )
  const alone = files.filter(file => !files.some(other => isLinked(file, other) || isLinked(other, file)))
  const products = files.map(productOf).filter(product => !SHARED.has(product))
  const boundaries = products.filter((product, at) => at > 0 && product !== products[at - 1])
  console.log(
    `${name}: ${files.length} files, ${new Set(products).size} products, ${boundaries.length} boundaries`,
  )
  return [
    ...repeated.map(file => `${name}: src/${file} is listed twice.`),
    ...alone.map(
      file => `${name}: src/${file} neither imports another file of the path nor is imported by one.`,
    ),
  ]
}

const [, section = ''] = SECTION.exec(readFileSync(join(root, PAGE), 'utf8')) ?? []
const paths = [...section.matchAll(PATH)]
const problems = paths.flatMap(([, name = '', steps = '']) => check(name, steps))
if (paths.length !== 4) problems.push(`There are ${paths.length} paths, not four.`)
for (const problem of problems) console.error(`${PAGE}: ${problem}`)
process.exitCode = problems.length > 0 ? 1 : 0
