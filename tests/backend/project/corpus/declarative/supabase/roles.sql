create role reporter nologin noinherit;
grant reporter to authenticator;
alter role authenticated set statement_timeout = '15s';
