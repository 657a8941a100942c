-- A value can be used from the next migration on.
alter type public.team_role add value if not exists 'admin' before 'member';
