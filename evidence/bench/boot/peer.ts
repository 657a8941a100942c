// The same measurement for plain @supabase/lite: its PGlite, its schema and its server's handler.
const started = performance.now()
const { createPgliteConnection } = await import('@supabase/lite/pglite')
const { App, InMemoryEmailDriver } = await import('@supabase/lite')
const [dir = ''] = process.argv.slice(2)
const connection = await createPgliteConnection({ url: `${dir}/database` })
await connection.driver.exec(`do $$ begin
  if to_regrole('anon') is null then
    create role anon; create role authenticated; create role service_role bypassrls;
  end if; end $$`)
const app = new App({
  connection,
  auth: { enabled: true, jwt_secret: 'a secret of at least thirty-two letters' },
  studio: { enabled: false },
  storage: { enabled: false },
  options: { drivers: { email: new InMemoryEmailDriver() } },
})
await app.ensureSystemSchema()
console.log(performance.now() - started)
await connection.close()
