// The first files of the demo bucket: pilot notes and a small chart.
import type { Database } from '../database/index.ts'
import { ObjectStore, type Blobs } from '../storage/index.ts'

const PILOT_NOTES = `GULLHAVEN, PILOT NOTES

Approach on 048 with the two white towers in line until the perch bears east.
The bar carries 2.1 m at low water springs; wait for half tide in any swell from
the south-west. Anchor in four fathoms off the slip, blue mud, good holding.
Visitors lie on the long pontoon, port side to. Call on sixteen before entering.
`

const MATE_NOTES = `SALLOW QUAY, A SECOND OPINION

The chart says a metre and a half alongside. The lead line says less since the
winter gales. Keep to the ladder end and mind the ledge.
`

const CHART = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 200" role="img" aria-label="Approaches to Gullhaven">
  <rect width="320" height="200" fill="#d8e9ef"/>
  <path d="M0 0H320V40C270 60 250 46 214 66S160 120 118 104 60 60 0 76Z" fill="#e9e2c8" stroke="#8a7f5c"/>
  <path d="M40 200C80 170 120 150 150 118S196 92 214 66" fill="none" stroke="#5b7f95" stroke-dasharray="6 4"/>
  <circle cx="150" cy="118" r="3" fill="#b3413a"/><circle cx="176" cy="126" r="3" fill="#2f7d4f"/>
  <text x="226" y="52" font-family="serif" font-size="12" fill="#40513b">Gullhaven</text>
  <g font-family="serif" font-size="9" fill="#33566b"><text x="60" y="160">7.4</text><text x="110" y="170">9.1</text>
  <text x="190" y="150">5.2</text><text x="240" y="120">3.8</text><text x="270" y="170">12.6</text></g>
</svg>
`

/**
 * Creates the bucket and its files, owned by the demo users; `owners` are in the order of the demo accounts.
 */
export async function seedCharts(database: Database, blobs: Blobs, owners: readonly string[]): Promise<void> {
  const [skipper = '', mate = ''] = owners
  await database.owner(tx =>
    tx.query("insert into storage.buckets (id, name, public) values ('charts', 'charts', false)"),
  )
  const objects = new ObjectStore(database, blobs)
  const files = [
    { owner: skipper, name: 'pilot-notes.txt', type: 'text/plain; charset=utf-8', text: PILOT_NOTES },
    { owner: skipper, name: 'approaches/gullhaven.svg', type: 'image/svg+xml', text: CHART },
    { owner: mate, name: 'second-opinion.txt', type: 'text/plain; charset=utf-8', text: MATE_NOTES },
  ]
  for (const { owner, name, type, text } of files) {
    const upload = {
      bytes: [new TextEncoder().encode(text)],
      contentType: type,
      cacheControl: 'max-age=3600',
      userMetadata: undefined,
    }
    await objects.write(
      { role: 'authenticated', sub: owner },
      { bucket: 'charts', name: `${owner}/${name}` },
      upload,
      false,
    )
  }
}
