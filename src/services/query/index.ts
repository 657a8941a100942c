// Data of requests, for React and TanStack Query.
export { dataOf, type DataOf, describeAnswer, type RequestKey } from './answer.ts'
export {
  forgetOtherUsers,
  requestOptions,
  type RequestQueryKey,
  type RequestQueryOptions,
  type RunQuery,
} from './request-options.ts'
