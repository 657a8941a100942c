// The public entry `chartroom/query`: requests of the client as queries of TanStack Query.
export {
  type DataOf,
  forgetOtherUsers,
  type RequestKey,
  requestOptions,
  type RequestQueryKey,
  type RequestQueryOptions,
  type RunQuery,
} from '../services/query/index.ts'
