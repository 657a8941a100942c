// `npm run screenshots`: takes the pictures of the guide, of the product and of the tour as they are now.
import { startHarbour } from './harbour.ts'
import { tellHarbour } from './screenshots/harbour.ts'
import { openStudio } from './screenshots/studio.ts'
import { tellTour } from './screenshots/tour.ts'
import { startTour } from './tour-server.ts'

/** Names of pictures, without their ending; all unless some are named. */
const wanted = process.argv.slice(2)
const isAsked = (prefix: string, is: boolean) =>
  wanted.length === 0 || wanted.some(name => name.startsWith(prefix) === is)

const studio = await openStudio(wanted)
try {
  if (isAsked('tour-', false)) {
    const harbour = await startHarbour({ port: 0, data: 'memory' })
    try {
      await tellHarbour(studio, harbour)
    } finally {
      await harbour.stop()
    }
  }
  if (isAsked('tour-', true)) {
    const tour = await startTour({ port: 0 })
    try {
      await tellTour(studio, tour.url)
    } finally {
      await tour.stop()
    }
  }
} finally {
  await studio.close()
}
for (const problem of studio.problems) console.error(problem)
if (studio.problems.length > 0) process.exitCode = 1
