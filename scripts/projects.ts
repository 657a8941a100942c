// `npm run projects`: starts every Supabase project below some folders in the embedded backend, and prints what starts,
// what stops, where and why.
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { findProjects } from './projects/find.ts'
import { asTable, isGood, type Row } from './projects/report.ts'
import { type EngineName, ENGINES, runProject } from './projects/run.ts'
import { runScript } from './run-script.ts'

const USAGE = `Usage: npm run -s projects -- FOLDER... [--engine NAME] [--seconds N] [--json]

Starts each project (a folder with \`supabase/\`) at or below the folders in a new backend in memory, in a separate
process, and reads each exposed table as service_role and as anon. Functions are not run, nothing is sent to other machines,
and the projects are not changed.

  --engine NAME   ${ENGINES.join(', ')} or both; default: ${ENGINES[0]}
  --seconds N     limit for a project; default: 120
  --json          Print one JSON object per project and engine

Exit code: 0 all start and answer; 1 some do not; 2 wrong usage, or no project found.`

await runScript(USAGE, read, main)

function read() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      engine: { type: 'string', default: ENGINES[0] },
      seconds: { type: 'string', default: '120' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) return { ...values, folders: [], engines: [], seconds: 0 }
  const engines = values.engine === 'both' ? ENGINES : ENGINES.filter(name => name === values.engine)
  if (engines.length === 0) return `Unknown engine: ${values.engine}.`
  const seconds = Number(values.seconds)
  if (!Number.isInteger(seconds) || seconds < 1) return '--seconds must be a whole number from 1.'
  if (positionals.length === 0) return 'No folder is named.'
  return { ...values, folders: positionals, engines, seconds }
}

async function main({ folders, engines, seconds, json }: Exclude<ReturnType<typeof read>, string>) {
  const projects = folders.flatMap(folder => findProjects(folder))
  if (projects.length === 0) {
    console.error(
      `No folder at or below ${folders.join(', ')} contains a folder \`supabase\` with a project.`,
    )
    return 2
  }
  const tasks = projects.flatMap(project => engines.map(engine => ({ project, engine })))
  const rows: Row[] = []
  const work = async () => {
    for (let task = tasks.shift(); task; task = tasks.shift()) {
      const row = await runTask(task, seconds)
      rows.push(row)
      if (json) console.log(JSON.stringify(row))
      else console.error(`${isGood(row) ? 'ok   ' : 'stops'} ${row.engine.padEnd(8)} ${row.project}`)
    }
  }
  await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, work))
  if (!json) console.log(asTable(rows))
  return rows.every(isGood) ? 0 : 1
}

async function runTask(
  { project, engine }: { readonly project: string; readonly engine: EngineName },
  seconds: number,
): Promise<Row> {
  return { project, engine, ...(await runProject(project, engine, seconds)) }
}
