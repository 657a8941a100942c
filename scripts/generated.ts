// Generates the modules that the sources import and Git does not have: they are made of the machines.
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fingerprint, Stamp } from './fingerprint.ts'
import { root } from './tool.ts'

const LAYOUTS = join(root, 'src/ui/console/chart/layouts.json')
const SCHEMAS = join(root, 'src/ui/console/drive/event-schemas.json')

const stamp = new Stamp('generated')
const INPUTS = [
  'src/machines/**/*.ts',
  'src/services/runtime/*.ts',
  'src/trace/format/*.ts',
  'src/ui/console/chart/*.ts',
  'scripts/{chart-layouts,event-schemas,generated}.ts',
]

/** Generates them if their sources have changed since the last time. */
export async function ensureGenerated(): Promise<void> {
  const sources = await fingerprint(INPUTS)
  if (existsSync(LAYOUTS) && existsSync(SCHEMAS) && (await stamp.is(sources))) return
  await stamp.forget()
  const [{ layoutsText }, { schemasText }] = [
    await import('./chart-layouts.ts'),
    await import('./event-schemas.ts'),
  ]
  await writeFile(LAYOUTS, await layoutsText())
  await writeFile(SCHEMAS, schemasText())
  await stamp.set(sources)
}
