// Where the data of a project is stored by default: neither in the project's folder nor with that of another project.
import { createHash } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, join } from 'node:path'

/** Returns the data folder of the project in `folder`, the same one for every way to name it. */
export function projectDataDir(
  folder: string,
  environment: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): string {
  const path = realpathSync(folder)
  const digest = createHash('sha256').update(path).digest('hex').slice(0, 8)
  const name = basename(path).replaceAll(/[^\w.-]/g, '_') || 'project'
  return join(userDataDir(environment, platform), 'chartroom', 'projects', `${name}-${digest}`)
}

function userDataDir(environment: NodeJS.ProcessEnv, platform: NodeJS.Platform): string {
  const { XDG_DATA_HOME: xdg, LOCALAPPDATA: local } = environment
  if (xdg !== undefined && xdg !== '') return xdg
  if (platform === 'win32') return local ?? join(homedir(), 'AppData', 'Local')
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support')
  return join(homedir(), '.local', 'share')
}
