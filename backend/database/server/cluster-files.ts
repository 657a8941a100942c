// The files of a server's cluster: checked before each start, and given to the server's user once.
import { chmodSync, chownSync, lchownSync, lstatSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { walk } from '../../shared/walk.ts'
import { EngineError } from '../engine.ts'
import type { ServerUser } from './programs.ts'

/**
 * What PostgreSQL reads in a cluster's folder besides data, wherever its configuration is: settings of `alter system`,
 * and files that make it a copy of another server.
 */
const REMOVED = [
  'postgresql.auto.conf',
  'recovery.signal',
  'standby.signal',
  'backup_label',
  'tablespace_map',
]

/**
 * Prepares the folder of a cluster for a start.
 * @throws EngineError if it has links or anything else but files and folders
 */
export function readyFolder(user: ServerUser | undefined, folder: string): void {
  refuseLinks(folder)
  for (const name of REMOVED) rmSync(join(folder, name), { force: true })
  if (user) letPass(user, folder)
  if (user && lstatSync(folder).uid !== user.uid) give(user, folder)
  // PostgreSQL insists on it, and a copied folder has the default mode.
  else if ((lstatSync(folder).mode & 0o777) !== 0o700) chmodSync(folder, 0o700)
}

/** The server's files are below this folder; a link, or a second name of another file, leads elsewhere. */
function refuseLinks(folder: string): void {
  for (const path of [folder, ...Array.from(walk(folder), entry => entry.path)]) {
    const stat = lstatSync(path, { throwIfNoEntry: false })
    if (!stat || stat.isDirectory() || (stat.isFile() && stat.nlink === 1)) continue
    const kind = stat.isSymbolicLink()
      ? 'a link'
      : stat.isFile()
        ? 'a second name of another file'
        : 'no file'
    throw new EngineError(
      `${path} is ${kind}, which the cluster of a backend never has. Remove it, or choose another data directory.`,
    )
  }
}

/** Whether a user may pass a folder and all folders above it. */
export function isPassable(user: ServerUser, folder: string): boolean {
  const { uid, gid } = user
  const { mode, uid: owner, gid: group } = statSync(folder)
  const mayPass = owner === uid ? mode & 0o100 : group === gid ? mode & 0o010 : mode & 0o001
  const above = dirname(folder)
  return mayPass !== 0 && (above === folder || isPassable(user, above))
}

/**
 * Makes an empty folder the server's own, and the folders above it passable.
 * @throws EngineError if a folder above it is closed to the server's user
 */
export function giveNew(user: ServerUser, folder: string): void {
  letPass(user, folder)
  give(user, folder)
}

function letPass(user: ServerUser, folder: string): void {
  const { gid } = user
  const parent = dirname(folder)
  // The data directory is closed to all others at each start, so that only this group may pass it.
  if ((statSync(parent).mode & 0o001) === 0) {
    chownSync(parent, -1, gid)
    chmodSync(parent, 0o710)
  }
  if (!isPassable(user, dirname(parent)))
    throw new EngineError(
      `PostgreSQL refuses to run as root, so it runs as ${user.name}, which has no access to ${dirname(parent)}. ` +
        'Choose a data directory elsewhere, or run the backend as another user.',
    )
}

/**
 * Makes a cluster that this user has written the server's own. Later, it belongs to a user who could point its names
 * elsewhere.
 */
function give({ uid, gid }: ServerUser, folder: string): void {
  for (const { path } of walk(folder)) lchownSync(path, uid, gid)
  chmodSync(folder, 0o700)
  lchownSync(folder, uid, gid)
}
