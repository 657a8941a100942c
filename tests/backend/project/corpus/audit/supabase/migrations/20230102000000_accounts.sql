create role auditor nologin;
grant auditor to authenticator with admin option;
grant anon to auditor;
create table public.accounts (id int primary key, owner text not null, balance numeric not null default 0);
create table public.transfers (id int generated always as identity, from_id int references accounts, to_id int references accounts, amount numeric check (amount > 0));
do
$do$
declare
  t text;
begin
  foreach t in array array['accounts', 'transfers'] loop
    execute format('select audit.enable_tracking(%L)', 'public.' || t);
    execute format('alter table public.%I enable row level security', t);
    execute format('alter table public.%I force row level security', t);
    execute format($f$ create policy %I on public.%I for select to authenticated using (true) $f$, 'read ' || t, t);
  end loop;
end
$do$;
create policy "owner" on public.accounts to postgres, service_role using (true) with check (true);
create policy "owner" on public.transfers to postgres, service_role using (true) with check (true);
create policy "auditors" on public.accounts for select to auditor using (true);
grant select on public.accounts to auditor;
grant usage on schema public, audit to auditor;

create function public.keep_positive() returns trigger language plpgsql as $$
begin
  if (select balance < 0 from public.accounts where id = new.id) then
    raise exception 'Account % is overdrawn', new.id using errcode = 'check_violation', hint = 'Deposit first.';
  end if;
  return null;
end $$;
create constraint trigger keep_positive after insert or update on public.accounts deferrable initially deferred
  for each row execute function public.keep_positive();
create procedure public.transfer(source int, target int, amount numeric) language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtext('transfer'));
  update public.accounts set balance = balance - transfer.amount where id = source;
  update public.accounts set balance = balance + transfer.amount where id = target;
  insert into public.transfers (from_id, to_id, amount) values (source, target, transfer.amount);
end $$;
create function public.move_money(source int, target int, amount numeric) returns void language plpgsql security definer as $$
begin call public.transfer(source, target, amount); end $$;
