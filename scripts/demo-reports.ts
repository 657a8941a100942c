// `npm run demo-reports`: records the reports of the demo again, for machines or a format that have changed.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { recordDemoReports } from './demo-reports/record.ts'
import { root } from './tool.ts'

const reports = await recordDemoReports()
await writeFile(join(root, 'src/cli/start/demo/reports.json'), `${JSON.stringify(reports, null, 2)}\n`)
for (const { title, note } of reports) process.stdout.write(`${note || '(no words)'}\n  ${title}\n`)
process.exit(0)
