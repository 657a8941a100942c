// Profiles of a benchmark's two sides: the processor time of the main thread per call, by whose code ran.
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { type Profiler, Session } from 'node:inspector/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** One side of a comparison under the profiler. */
export interface Side {
  readonly title: string
  /** How many calls, events or records it took. */
  readonly calls: number
  readonly profile: Profiler.Profile
}

const run = promisify(execFile)
/** Microseconds between two samples. */
const INTERVAL = 100

/** Profiles this process while `work` runs. */
export async function profileHere(work: () => Promise<void>): Promise<Profiler.Profile> {
  const session = new Session()
  session.connect()
  try {
    await session.post('Profiler.enable')
    await session.post('Profiler.setSamplingInterval', { interval: INTERVAL })
    await session.post('Profiler.start')
    await work()
    return (await session.post('Profiler.stop')).profile
  } finally {
    session.disconnect()
  }
}

/** Profiles a script with arguments in a separate process, from its start to its end. */
export async function profileOf(script: string, ...args: string[]): Promise<Profiler.Profile> {
  const folder = await mkdtemp(join(tmpdir(), 'chartroom-bench-'))
  try {
    const flags = ['--cpu-prof', `--cpu-prof-dir=${folder}`, `--cpu-prof-interval=${INTERVAL}`]
    await run(process.execPath, [...flags, script, ...args])
    const [file = ''] = await readdir(folder)
    return JSON.parse(await readFile(join(folder, file), 'utf8')) as Profiler.Profile
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Microseconds per call by owner, the largest first. */
function partsOf({ profile, calls }: Side): ReadonlyMap<string, number> {
  const parents = new Map<number, Profiler.ProfileNode>()
  for (const node of profile.nodes) for (const child of node.children ?? []) parents.set(child, node)
  const owners = new Map(profile.nodes.map(node => [node.id, ownerOf(node, parents)]))
  const parts = new Map<string, number>()
  for (const [at, id] of (profile.samples ?? []).entries()) {
    const owner = owners.get(id)
    if (owner === undefined) continue
    parts.set(owner, (parts.get(owner) ?? 0) + (profile.timeDeltas?.[at + 1] ?? 0) / calls)
  }
  return new Map([...parts].toSorted((a, b) => b[1] - a[1]))
}

/** Native code belongs to its caller; undefined while nothing ran. */
function ownerOf(
  node: Profiler.ProfileNode,
  parents: ReadonlyMap<number, Profiler.ProfileNode>,
): string | undefined {
  const { functionName, url } = node.callFrame
  if (functionName === '(idle)') return undefined
  if (functionName === '(garbage collector)') return 'garbage collector'
  const parent = parents.get(node.id)
  if (url === '') return parent ? ownerOf(parent, parents) : 'other'
  if (functionName === 'parse' && url.endsWith('/record-reader.ts')) return 'JSON.parse'
  const [, library] = /\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url) ?? []
  if (library !== undefined) return library.startsWith('@supabase/') ? 'supabase-js' : library
  if (url.startsWith('node:')) return 'Node'
  const [, part] = /\/src\/((?:services\/)?[^/]+)/.exec(url) ?? []
  return part === undefined ? 'benchmark' : `Chartroom: ${part.replace('services/', '')}`
}

/** A table of all sides, without what takes less than a hundredth of the largest side. */
export function tableOf(sides: readonly Side[]): string {
  const all = sides.map(side => partsOf(side))
  const totals = all.map(parts => [...parts.values()].reduce((sum, time) => sum + time, 0))
  const least = Math.max(...totals) / 100
  const owners = [...new Set(all.flatMap(parts => [...parts.keys()]))]
  const shown = owners.filter(owner => all.some(parts => (parts.get(owner) ?? 0) >= least))
  const rest = all.map(parts =>
    [...parts].reduce((sum, [owner, time]) => (shown.includes(owner) ? sum : sum + time), 0),
  )
  const cells = (times: readonly (number | undefined)[]) =>
    times.map(time => (time === undefined ? '' : time.toFixed(time < 10 ? 2 : 0))).join(' | ')
  return [
    `| µs | ${sides.map(({ title }) => title).join(' | ')} |`,
    `| --- |${' ---: |'.repeat(sides.length)}`,
    ...shown.map(owner => `| ${owner} | ${cells(all.map(parts => parts.get(owner)))} |`),
    `| the rest | ${cells(rest)} |`,
    `| total | ${cells(totals)} |`,
  ].join('\n')
}
