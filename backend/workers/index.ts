// The workers behind SQL that acts later: requests of pg_net and jobs of pg_cron.
export { startCron, type Cron } from './cron.ts'
export { startNet, type Net } from './net.ts'
