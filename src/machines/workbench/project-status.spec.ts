import { specify } from '../specify.ts'
import { projectStatusMachine } from './project-status.ts'

export const projectStatusSpec = specify(projectStatusMachine, {
  about:
    'The project that the embedded backend follows: when its state is read, its reset, and the creation of its first user.',
  ports: {
    readStatus: {
      about: 'Reads the state of the project, at once or after its next change.',
      sends: { 'status.received': [{ revision: 7 }], 'status.absent': [{}], 'status.failed': [{}] },
      once: true,
    },
    resetProject: {
      about: 'Deletes all data and applies all files of the project.',
      sends: { 'reset.done': [{}], 'reset.failed': [{}] },
      healthy: 'reset.done',
      once: true,
    },
    createUser: {
      about: 'Creates a confirmed user.',
      sends: { 'user.created': [{}], 'user.refused': [{}] },
      healthy: 'user.created',
      once: true,
    },
  },
  events: {
    'project.watched': [{}],
    'project.unwatched': [{}],
    'page.hidden': [{}],
    'page.visible': [{}],
    'reset.request': [{}],
    'reset.dismiss': [{}],
    'user.submit': [{ user: 1 }],
  },
  ignored: [
    {
      event: 'project.watched',
      states: ['status.reading', 'status.lost', 'status.paused', 'status.absent'],
      reason: 'The project is watched already.',
    },
    { event: 'project.unwatched', states: ['status.idle'], reason: 'Nothing is read.' },
    {
      event: 'page.hidden',
      states: ['status.idle', 'status.paused', 'status.absent'],
      reason: 'Nothing is read.',
    },
    {
      event: 'page.visible',
      states: ['status.idle', 'status.reading', 'status.lost', 'status.absent'],
      reason: 'Only a pause ends with it.',
    },
    { event: 'reset.request', states: ['reset.running'], reason: 'A reset is running.' },
    {
      event: 'reset.dismiss',
      states: ['reset.idle', 'reset.running'],
      reason: 'There is no failure to dismiss.',
    },
    { event: 'user.submit', states: ['user.creating'], reason: 'A user is being created.' },
  ],
  situation: () => [],
  rests: ({ value: { status } }) => status !== 'lost',
})
