// In the place of packages that the examples use and that are not here: whatever is asked of it is there and does nothing.

const nothing: unknown = new Proxy(function none() {}, {
  get: (_target, name) => (name === 'then' || typeof name === 'symbol' ? undefined : nothing),
  apply: () => nothing,
  construct: () => ({}),
})

export default nothing
export { nothing as MongoClient, nothing as assign, nothing as createStore, nothing as useMachine }
