// A process killed during writes: what was acknowledged exists after the next start.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, expect, test } from 'vitest'
import { officialClient } from '../harness/backend.ts'
import { volume } from '../harness/volume.ts'

const dir = mkdtempSync(join(tmpdir(), 'chartroom-kill-'))
/** A process that is killed removes none of its files. */
const temporary = mkdtempSync(join(tmpdir(), 'chartroom-killed-'))
const children: ReturnType<typeof spawn>[] = []
afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
  for (const folder of [dir, temporary]) rmSync(folder, { recursive: true, force: true })
})

const PROGRAM = `import { startBackend } from './backend/index.ts'
  const { url, publishableKey, secretKey } = await startBackend({ data: { dir: process.argv[1] } })
  console.log(JSON.stringify({ url, publishableKey, secretKey }))
  process.stdin.on('end', () => process.exit()).resume()`

/**
 * A backend in a separate process that does not outlive the test or its worker, and the official client with
 * the secret key.
 */
async function startElsewhere() {
  const args = ['--liftoff-only', '--input-type=module-typescript', '-e', PROGRAM, '--', dir]
  const child = spawn(process.execPath, args, { env: { ...process.env, TMPDIR: temporary } })
  children.push(child)
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  const info = JSON.parse(line)
  return { child, client: officialClient(info, info.secretKey) }
}

const WRITERS = 4
const ROUNDS = volume(1, 3)

test('no acknowledged write is lost', { timeout: 90_000 }, async () => {
  const acknowledged: string[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const { child, client } = await startElsewhere()
    const killAfter = acknowledged.length + 20 + Math.floor(Math.random() * 60)
    const write = async (writer: number) => {
      for (let n = 0; ; n += 1) {
        const name = `${round}/${writer}/${n}`
        const { error } = await client.from('vessels').insert({ name, rig: 'x'.repeat(n * 50) })
        if (error) return
        acknowledged.push(name)
        if (acknowledged.length >= killAfter) child.kill('SIGKILL')
      }
    }
    await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)))
    expect(child.killed).toBe(true)
  }
  const { client } = await startElsewhere()
  const { data } = await client.from('vessels').select('name').like('name', '%/%')
  const found = new Set(data?.map(row => row.name))
  expect(acknowledged.filter(name => !found.has(name))).toEqual([])
  expect(acknowledged.length).toBeGreaterThanOrEqual(ROUNDS * 20)
})
