// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sqlite3.h>
#include <stdbool.h>

// SQLite, looked up when a store is first opened: a program that remembers nothing does not load it. Each function is
// SQLite's of the name behind `attacca_`; only behind a true answer of `attacca_sqlite_load` may another one be called.

/// Whether SQLite is there; loads it the first time. Any thread.
bool attacca_sqlite_load(void);

// Result, name, parameters, and those as arguments.
#define ATTACCA_SQLITE_FUNCTIONS(each) \
  each(int, sqlite3_open_v2, (const char *path, sqlite3 **database, int flags, const char *vfs), \
       (path, database, flags, vfs)) \
  each(int, sqlite3_close_v2, (sqlite3 *database), (database)) \
  each(int, sqlite3_extended_result_codes, (sqlite3 *database, int are_on), (database, are_on)) \
  each(int, sqlite3_busy_timeout, (sqlite3 *database, int milliseconds), (database, milliseconds)) \
  each(int, sqlite3_get_autocommit, (sqlite3 *database), (database)) \
  each(sqlite3_int64, sqlite3_last_insert_rowid, (sqlite3 *database), (database)) \
  each(const char *, sqlite3_errmsg, (sqlite3 *database), (database)) \
  each(int, sqlite3_prepare_v3, \
       (sqlite3 *database, const char *text, int length, unsigned flags, sqlite3_stmt **statement, const char **rest), \
       (database, text, length, flags, statement, rest)) \
  each(int, sqlite3_finalize, (sqlite3_stmt *statement), (statement)) \
  each(int, sqlite3_step, (sqlite3_stmt *statement), (statement)) \
  each(int, sqlite3_reset, (sqlite3_stmt *statement), (statement)) \
  each(int, sqlite3_clear_bindings, (sqlite3_stmt *statement), (statement)) \
  each(int, sqlite3_bind_null, (sqlite3_stmt *statement, int i), (statement, i)) \
  each(int, sqlite3_bind_int64, (sqlite3_stmt *statement, int i, sqlite3_int64 value), (statement, i, value)) \
  each(int, sqlite3_bind_double, (sqlite3_stmt *statement, int i, double value), (statement, i, value)) \
  each(int, sqlite3_bind_text, \
       (sqlite3_stmt *statement, int i, const char *text, int length, sqlite3_destructor_type release), \
       (statement, i, text, length, release)) \
  each(int, sqlite3_bind_blob, \
       (sqlite3_stmt *statement, int i, const void *bytes, int length, sqlite3_destructor_type release), \
       (statement, i, bytes, length, release)) \
  each(int, sqlite3_bind_zeroblob, (sqlite3_stmt *statement, int i, int length), (statement, i, length)) \
  each(int, sqlite3_column_type, (sqlite3_stmt *statement, int i), (statement, i)) \
  each(sqlite3_int64, sqlite3_column_int64, (sqlite3_stmt *statement, int i), (statement, i)) \
  each(double, sqlite3_column_double, (sqlite3_stmt *statement, int i), (statement, i)) \
  each(const unsigned char *, sqlite3_column_text, (sqlite3_stmt *statement, int i), (statement, i)) \
  each(const void *, sqlite3_column_blob, (sqlite3_stmt *statement, int i), (statement, i)) \
  each(int, sqlite3_column_bytes, (sqlite3_stmt *statement, int i), (statement, i))

#define ATTACCA_DECLARE(result, name, parameters, arguments) result attacca_##name parameters;
ATTACCA_SQLITE_FUNCTIONS(ATTACCA_DECLARE)
#undef ATTACCA_DECLARE
