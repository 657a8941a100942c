// The process of `ensureGenerated`.
import { writeFile } from 'node:fs/promises'
import { sentencesText } from './actor-sentences.ts'
import { layoutsText } from './chart-layouts.ts'
import { schemasText } from './event-schemas.ts'
import { LAYOUTS, SCHEMAS, SENTENCES } from './generated.ts'

await writeFile(SENTENCES, sentencesText())
await writeFile(SCHEMAS, schemasText())
await writeFile(LAYOUTS, await layoutsText())
