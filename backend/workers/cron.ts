// Runs the jobs of pg_cron at their times, in UTC as on the hosted service, and stores how each run ended.
import { CRON_CHANNEL, type Database } from '../database/index.ts'
import type { Clock } from '../shared/clock.ts'
import { nextTimes, readSchedule } from './schedule.ts'

export interface CronOptions {
  readonly database: Database
  readonly clock: Clock
}

export interface Cron {
  /** Starts no more jobs, and resolves when the running one has ended. */
  stop(): Promise<void>
}

interface Job {
  /** A bigint, as text. */
  readonly jobid: string
  readonly schedule: string
  readonly command: string
  readonly database: string
  readonly username: string
}

interface ScheduledJob extends Job {
  /** Milliseconds since 1970. */
  readonly next: number
}

/** The clock may jump, so a timer never waits longer. */
const LONGEST_WAIT_MS = 30_000

/** Follows the table of jobs, and runs them one after another. */
export async function startCron({ database, clock }: CronOptions): Promise<Cron> {
  let scheduledJobs: ScheduledJob[] = []
  let timer: NodeJS.Timeout | undefined
  let work: Promise<void> = Promise.resolve()
  let isStopped = false
  let hasStarted = false
  const wait = () => {
    clearTimeout(timer)
    if (isStopped || scheduledJobs.length === 0) return
    const next = Math.min(...scheduledJobs.map(job => job.next))
    timer = setTimeout(tick, Math.min(Math.max(next - clock.now(), 0), LONGEST_WAIT_MS))
  }
  const after = (step: () => Promise<void>) => {
    // A database that is down answers the next time.
    work = work
      .then(step)
      .catch(() => undefined)
      .then(wait)
  }
  const reload = () =>
    after(async () => {
      const jobs = await readJobs(database)
      const now = clock.now()
      const schedules = jobs.map(job => readSchedule(job.schedule))
      const times = await nextTimes(schedules, now)
      const previousTimes = new Map(scheduledJobs.map(job => [`${job.jobid} ${job.schedule}`, job.next]))
      scheduledJobs = jobs.flatMap((job, index) => {
        const first = !hasStarted && schedules[index]?.kind === 'start' ? now : times[index]
        const next = previousTimes.get(`${job.jobid} ${job.schedule}`) ?? first
        return next === undefined ? [] : [{ ...job, next }]
      })
      hasStarted = true
    })
  const tick = () =>
    after(async () => {
      const now = clock.now()
      const dueJobs = scheduledJobs.filter(job => job.next <= now)
      const times = await nextTimes(
        dueJobs.map(job => readSchedule(job.schedule)),
        now,
      )
      scheduledJobs = scheduledJobs.map(job => {
        const index = dueJobs.indexOf(job)
        return index === -1 ? job : { ...job, next: times[index] ?? Infinity }
      })
      for (const job of dueJobs) if (!isStopped) await runJob(database, job)
    })
  await database.listen(CRON_CHANNEL, reload)
  database.onGap(reload)
  reload()
  return {
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await work
    },
  }
}

async function readJobs(database: Database): Promise<Job[]> {
  return database.owner(async tx => {
    const [row] = await tx.query<{ jobs: string | null }>(`select to_regclass('cron.job')::text as jobs`)
    if (!row?.jobs) return []
    return tx.query<Job>(
      `select jobid::text, schedule, command, database, username from cron.job where active order by jobid`,
    )
  })
}

async function runJob(database: Database, job: Job): Promise<void> {
  const run = await database.owner(async tx => {
    const [row] = await tx.query<{ runid: string }>(
      `insert into cron.job_run_details (jobid, database, username, command, status, start_time)
       values ($1::bigint, $2, $3, $4, 'running', clock_timestamp()) returning runid::text`,
      [job.jobid, job.database, job.username, job.command],
    )
    return row?.runid
  })
  const failure = await runCommand(database, job)
  await database.owner(tx =>
    tx.query(
      `update cron.job_run_details set status = $2, return_message = $3, end_time = clock_timestamp()
       where runid = $1::bigint`,
      [
        run,
        failure === undefined ? 'succeeded' : 'failed',
        failure === undefined ? 'OK' : `ERROR: ${failure}`,
      ],
    ),
  )
}

/** Outside of a transaction, so that a command may end its own; resolves to the error. */
async function runCommand(database: Database, { command, username }: Job): Promise<string | undefined> {
  return database.session(async ({ driver, asRole, returnToOwner }) => {
    try {
      await asRole(driver, username, () => driver.exec(command))
      return undefined
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    } finally {
      // The command may have left a transaction open, or settings.
      await driver.exec(`rollback; ${returnToOwner}; reset all`)
    }
  })
}
