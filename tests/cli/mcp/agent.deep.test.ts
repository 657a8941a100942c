// A scripted agent, without a model: from the id of a report to the cause, its line, a minimized test and a fix.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { tokensOf } from '../../../src/cli/mcp/output.ts'
import { runVitest } from '../../harness/child-vitest.ts'
import { connectMcp, toolCaller } from '../../harness/mcp.ts'
import {
  type BuggedApp,
  bugged,
  copiedSources,
  lineOf,
  PLANTED_LINES,
  type PlantedLine,
  repair,
} from '../../harness/planted-lines.ts'
import { type ReportsProject, startReportsProject } from '../../harness/reports-project.ts'

let folder = ''
let project: ReportsProject

beforeAll(async () => {
  folder = await copiedSources()
  project = await startReportsProject()
  vi.stubEnv('SUPABASE_SECRET_KEY', 'sb_secret_test')
})
afterAll(() => void vi.unstubAllEnvs())

/** Lines that an agent reads from a named place on: a definition of a guard or an action. */
const AROUND = 5
const MOST_CALLS = 10
const MOST_TOKENS = 12_000

interface Work {
  readonly calls: number
  readonly tokens: number
  /** Places that the tools named, in order. */
  readonly places: readonly string[]
  readonly log: readonly string[]
}

/** What an agent does with the id of a report, and nothing else. */
async function debug(
  id: string,
  app: BuggedApp,
  fix: (places: readonly string[], test: string) => Promise<void>,
): Promise<Work> {
  const client = await connectMcp({ roots: [app.folder], machines: app.machines, reports: project.url })
  const tool = toolCaller(client)
  const log: string[] = []
  let tokens = 0
  const call = async (name: string, args: Record<string, unknown>) => {
    const { text } = await tool(name, args)
    log.push(`${name} ${JSON.stringify(args)}\n${text}`)
    tokens += tokensOf(text) + tokensOf(JSON.stringify({ name, arguments: args }))
    return text
  }
  const report = `report:${id}`
  const seen = [await call('overview', { recording: report })]
  seen.push(await call('explain', { recording: report }))
  expect(await call('drive', { recording: report })).toContain('FAILS:')
  const small = await call('minimize', { recording: report })
  seen.push(small)
  const made = /recording "(made:\d+)"/.exec(small)?.[1] ?? ''
  const test = `report-${id.slice(-2)}.test.ts`
  const written = await call('write_test', { recording: made, report, out: test })
  expect(written).toContain('Written: 2 files. It fails until the failure is fixed.')
  const places = [
    ...new Set(
      seen.flatMap(text => [...text.matchAll(/\(([\w./-]+\.ts:\d+)\)/g)].map(([, place = '']) => place)),
    ),
  ]
  await fix(places, test)
  expect(await call('drive', { recording: report })).toContain('PASSES:')
  return { calls: log.length, tokens, places, log }
}

const works = new Map<string, Work>()
afterAll(() => {
  const all = [...works.values()]
  const most = (of: (work: Work) => number) => Math.max(...all.map(of))
  process.stdout.write(
    `agent: ${all.length} bugs, at most ${most(({ calls }) => calls)} calls and ${most(({ tokens }) => tokens)} tokens\n`,
  )
})

describe.each<PlantedLine>(PLANTED_LINES)('$what', bug => {
  test('is found, tested, fixed and verified', { timeout: 300_000 }, async () => {
    const app = await bugged(folder, bug)
    const { kind, fingerprint, title } = app.cause
    const id = project.add({ cause: kind, fingerprint, title }, app.trace)
    const line = await lineOf(folder, bug)
    const isNamed = (place: string) => {
      const [file = '', at = ''] = place.split(':')
      return file === bug.file && line >= Number(at) && line <= Number(at) + AROUND
    }
    let tried = -1
    let fixed = ''
    const work = await debug(id, app, async (places, written) => {
      tried = places.findIndex(isNamed)
      expect(tried, `${bug.file}:${line} is not among ${places.join(' ')}`).toBeGreaterThanOrEqual(0)
      expect((await runVitest(folder, written)).output).toContain('1 failed')
      await repair(folder, bug)
      fixed = written
    })
    works.set(bug.what, work)
    expect(work.calls).toBeLessThanOrEqual(MOST_CALLS)
    expect(work.tokens).toBeLessThanOrEqual(MOST_TOKENS)
    const { output, passed } = await runVitest(folder, fixed)
    expect(passed ? '' : output).toBe('')
  })
})
