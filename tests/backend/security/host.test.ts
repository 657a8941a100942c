// Files of strangers do nothing to the machine: which archives of a PostgreSQL server's cluster are imported.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { packArchive } from '../../../backend/transfer/archive.ts'
import { importCommand } from '../../../src/cli/backend.ts'
import { ran } from '../../harness/command.ts'

const root = mkdtempSync(join(tmpdir(), 'chartroom-host-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** An export of a server's cluster with these files, as a stranger could write it. */
async function archiveWith(...paths: readonly string[]): Promise<string> {
  const files = ['database/PG_VERSION', ...paths].map(path => ({ path, bytes: Buffer.from('17\n') }))
  const file = join(root, 'hostile.tar.gz')
  const version = `postgres-17-${process.platform}-${process.arch}`
  writeFileSync(file, await packArchive({ files, folders: ['database'] }, version))
  return file
}

test('a cluster of a server is imported only with --trust', async () => {
  const data = join(root, 'untrusted')
  expect(await ran(importCommand, await archiveWith(), '--data', data)).toMatchObject({
    code: 1,
    err: expect.stringContaining('--trust') as string,
  })
  expect(existsSync(join(data, 'database'))).toBe(false)
})

test.for([
  'database/standby.signal',
  'database/recovery.signal',
  'database/backup_label',
  'database/tablespace_map',
  'database/postmaster.pid',
  'database/pg_wal/evil',
  'database/pg_wal/archive_status/000000010000000000000001.ready',
  'database/pg_tblspc/16384',
  'database/base/evil.so',
  'database/base/5/evil.so',
  'database/lib/evil.so',
  'database/conf.d/a.conf',
  'database/pg_replslot/a/state',
  'database/server.key',
  'database/global/evil',
])('a cluster of a server is not imported with %s', async path => {
  const data = join(root, 'refused')
  expect(await ran(importCommand, await archiveWith(path), '--data', data, '--trust')).toMatchObject({
    code: 1,
    err: expect.stringContaining(`${path}, which is no data of a database`) as string,
  })
  expect(existsSync(join(data, 'database'))).toBe(false)
})
