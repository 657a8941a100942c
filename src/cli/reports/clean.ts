// `chartroom reports clean`: removes reports older than the retention, with their files.
import { defineCommand, type ExitCode } from '../command.ts'
import { print, startProgress } from '../print.ts'
import { HOST_FLAGS, ReportsHost } from './host.ts'

export const cleanCommand = defineCommand({
  usage: 'reports clean [flags]',
  text: `Removes reports that are older than the retention of the migration, makes the partitions of the next months,
and removes files whose report is gone. Run it daily, e.g. in CI.

Exit code: 0 done, 2 failed.`,
  flags: {
    ...HOST_FLAGS,
    'dry-run': { type: 'boolean', about: 'Only list the files that would be removed' },
  },
  takes: [0, 0, 'argument'],
  async run({ values: { url, 'dry-run': isDry } }): Promise<ExitCode> {
    const host = new ReportsHost(url)
    if (!isDry) await host.maintain()
    const progress = startProgress('Looking for files without a report', 'folders')
    let count = 0
    let folders = 0
    for (const day of await host.files('')) {
      const ids = await host.files(`${day}/`)
      const names = new Set<string>()
      // Ids in a URL: a few hundred at a time.
      for (let at = 0; at < ids.length; at += 200) {
        const part = ids.slice(at, at + 200)
        for (const id of await host.existing(part)) names.add(id)
      }
      for (const id of ids.filter(one => !names.has(one))) {
        const paths = (await host.files(`${day}/${id}/`)).map(name => `${day}/${id}/${name}`)
        count += paths.length
        if (isDry) for (const path of paths) print(`${path}\n`)
        else if (paths.length > 0) await host.removeFiles(paths)
      }
      progress.at((folders += 1))
    }
    progress.end()
    print(`${count} ${count === 1 ? 'file' : 'files'} ${isDry ? 'would be removed' : 'removed'}.\n`)
    return 0
  },
})
