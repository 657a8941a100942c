create schema legacy;
