// Records a machine of the app into a trace file.
import { writeFile } from 'node:fs/promises'
import { record } from '@chartroom/devtools/recording'
import { lamp } from './lamp.mjs'

const recording = record(lamp)
recording.actor.start()
recording.actor.send({ type: 'toggle' })
recording.actor.send({ type: 'toggle' })
await writeFile('lamp.trace.gz', await recording.file())
recording.actor.stop()
