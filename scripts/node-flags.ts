// The flags of Node that `npm start` passes, for scripts that start a backend as it does.
import manifest from '../package.json' with { type: 'json' }

export const NODE_FLAGS: readonly string[] = manifest.scripts.start.match(/--[\w-]+=\S+/g) ?? []
