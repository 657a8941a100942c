// What the page offers to tests.
import type { RecordedClient } from 'chartroom'
import type { Database } from './database'

declare global {
  interface Window {
    /** In development only. */
    chartroom?: RecordedClient<Database>
  }
}
