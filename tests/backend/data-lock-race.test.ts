// What a claimant may meet between two looks at the same file: it goes, and its process writes it anew.
import type * as fs from 'node:fs'
import { readFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { takeLock } from '../../backend/data-lock.ts'

vi.mock('node:fs', { spy: true })

const dir = mkdtempSync(join(tmpdir(), 'chartroom-lock-race-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

test('a claim that goes while it is read, and comes back, is waited for', async () => {
  const rival = join(dir, `lock.claim.${process.ppid}`)
  writeFileSync(rival, '{}')
  const { readFileSync: read } = await vi.importActual<typeof fs>('node:fs')
  let looks = 0
  vi.mocked(readFileSync).mockImplementation((file, options) => {
    if (file === rival && (looks += 1) === 1) {
      throw Object.assign(new Error(`ENOENT: no such file or directory, open '${rival}'`), { code: 'ENOENT' })
    }
    if (file === rival) rmSync(rival)
    return read(file, options)
  })
  const release = takeLock(dir)
  expect(looks).toBeGreaterThan(0)
  release()
})
