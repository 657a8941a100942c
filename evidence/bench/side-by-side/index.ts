// Runs every row on both clients, and writes docs/side-by-side.md.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { live } from './row.ts'
import { rows } from './rows.ts'
import { openScene } from './scene.ts'
import { page, type Measured } from './table.ts'

const root = join(import.meta.dirname, '../../..')

export const SIDE_BY_SIDE = join(root, 'docs/side-by-side.md')

/** The installed version of the official client. */
export function officialVersion(): string {
  const file = join(root, 'node_modules/@supabase/supabase-js/package.json')
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
}

export async function writeSideBySide(): Promise<readonly Measured[]> {
  const measured: Measured[] = []
  await measureRows(row => void measured.push(row))
  const style = { ...(await resolveConfig(SIDE_BY_SIDE)), filepath: SIDE_BY_SIDE }
  writeFileSync(SIDE_BY_SIDE, await format(page(measured, officialVersion()), style))
  return measured
}

/** Runs every row on both clients, one after another. */
export async function measureRows(onMeasured: (measured: Measured) => void): Promise<void> {
  const scene = await openScene()
  try {
    for (const row of rows) {
      const official = await live(row, scene, 'official')
      onMeasured({ row, official, chartroom: await live(row, scene, 'chartroom') })
    }
  } finally {
    await scene.stop()
  }
}
