// Which files of a server's cluster are data: an import takes nothing else.

/** What the backend or PostgreSQL writes at each start; exports of the same folder may have it. */
const WRITTEN_ANEW = [
  'pg_hba.conf',
  'pg_ident.conf',
  'postgresql.auto.conf',
  'postgresql.conf',
  'postmaster.opts',
]

const FOLDERS =
  /^(?:base(?:\/(?:\d+|pgsql_tmp))?|global|pg_(?:commit_ts|dynshmem|notify|replslot|serial|snapshots|stat|stat_tmp|subtrans|tblspc|twophase|xact)|pg_logical(?:\/(?:mappings|snapshots))?|pg_multixact(?:\/(?:members|offsets))?|pg_wal(?:\/(?:archive_status|summaries))?)$/

/** Relations are named by numbers, and so are the parts of logs. */
const FILES =
  /^(?:PG_VERSION|CHARTROOM_READY|base\/\d+\/(?:PG_VERSION|pg_filenode\.map|pg_internal\.init|\d+(?:_(?:fsm|vm|init))?(?:\.\d+)?)|global\/(?:pg_control|pg_filenode\.map|pg_internal\.init|\d+(?:_(?:fsm|vm|init))?(?:\.\d+)?)|pg_wal\/[\dA-F]{24}|pg_(?:commit_ts|notify|serial|subtrans|xact)\/[\dA-F]{4,}|pg_multixact\/(?:members|offsets)\/[\dA-F]{4,}|pg_logical\/replorigin_checkpoint|pg_stat\/\w+\.stat)$/

const inCluster = (path: string) => /^database(?:\/(.*))?$/.exec(path)

/** Whether an import leaves a file out because it is written at each start. */
export const isWrittenAnew = (path: string) => WRITTEN_ANEW.includes(inCluster(path)?.[1] ?? '')

/** The first of these files and folders that is no data of a cluster. */
export function foreignPath(files: readonly string[], folders: readonly string[]): string | undefined {
  const isForeign = (path: string, data: RegExp) => {
    const [, inside] = inCluster(path) ?? []
    return inside !== undefined && !data.test(inside)
  }
  return (
    files.find(path => !isWrittenAnew(path) && isForeign(path, FILES)) ??
    folders.find(path => isForeign(path, FOLDERS))
  )
}
