// Generates the modules that the sources import and Git does not have: they are made of the machines.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fingerprint, Stamp } from './fingerprint.ts'
import { root, runTool } from './tool.ts'

export const LAYOUTS = join(root, 'src/ui/console/chart/layouts.json')
export const SCHEMAS = join(root, 'src/ui/console/drive/event-schemas.json')
export const SENTENCES = join(root, 'src/ui/console/tree/actor-sentences.json')

const stamp = new Stamp('generated')
const INPUTS = [
  'src/machines/**/*.ts',
  'src/services/runtime/*.ts',
  'src/trace/format/*.ts',
  'src/ui/console/chart/*.ts',
  'scripts/{actor-sentences,chart-layouts,event-schemas,generate,generated}.ts',
]

/**
 * Generates them if their sources have changed since the last time. A separate process does it, since it takes seconds
 * of a processor, and the installation prepares the databases in this one.
 * @throws Error with the output of that process, if it fails
 */
export async function ensureGenerated(): Promise<void> {
  const sources = await fingerprint(INPUTS)
  const isThere = [LAYOUTS, SCHEMAS, SENTENCES].every(path => existsSync(path))
  if (isThere && (await stamp.is(sources))) return
  await stamp.forget()
  const { code, output } = await runTool('node', [join(root, 'scripts/generate.ts')])
  if (code !== 0)
    throw new Error(`Failed to generate the layouts, schemas and sentences:\n${output.trimEnd()}`)
  await stamp.set(sources)
}
