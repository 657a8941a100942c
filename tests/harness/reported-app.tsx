// Bundled and run in a browser page: an app of a user, with the planted bug, that reports its problems.
import { createRoot } from 'react-dom/client'
import { createChartroomClient } from '../../src/public/index.ts'
import { ReportButton } from '../../src/public/devtools/react.ts'
import { recordEverything } from '../../src/public/devtools/recording.ts'
import { reportTo } from '../../src/public/devtools/reports.ts'
import { withBug } from './bugged-client.ts'

const options = new URLSearchParams(window.location.search)
const client = createChartroomClient(window.location.origin, options.get('key') ?? '', {
  recording: withBug(recordEverything({ invariants: false })),
})
const reporter = reportTo(client, {
  on: ['invariant'],
  consent: () => true,
  appVersion: options.get('version') ?? '',
})
const load = async () => {
  const { data } = await client.supabase.from('vessels').select()
  document.title = `${data?.length ?? 0} vessels`
}
createRoot(document.body).render(
  <main>
    <button type="button" onClick={() => void load()}>
      Load vessels
    </button>
    <ReportButton reporter={reporter} picture={false} />
  </main>,
)
