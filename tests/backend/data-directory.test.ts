// Access of other users of the machine to a data folder.
import { chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openDataDirectory } from '../../backend/shared/data-directory.ts'

function folderOf(mode: number): string {
  const dir = mkdtempSync(join(tmpdir(), 'chartroom-mode-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  chmodSync(dir, mode)
  return dir
}

test('a folder that other users can read is closed to them', () => {
  const dir = folderOf(0o755)
  openDataDirectory(dir).release()
  expect(statSync(dir).mode & 0o777).toBe(0o700)
})

test('a folder shared by all users keeps its mode, with a warning', async () => {
  const dir = folderOf(0o1777)
  const warned = new Promise<Error>(resolve => process.once('warning', resolve))
  openDataDirectory(dir).release()
  expect((await warned).message).toBe(
    `Other users may read the data in ${dir}: it is a shared folder. Use a private folder.`,
  )
  expect(statSync(dir).mode & 0o1777).toBe(0o1777)
})
