declare -A PROFILES=(
    [sums]="1|10|0-3|8,64|"      # three kinds
    [deep]="16|0|0-3|64|pipe"
    [rows]="1|0|0-3|64|rows"
)
endpoint_tool() {
    case "$1" in rows) echo "zrk" ;; *) echo "gcannon" ;; esac
}
gcannon_build_args() {
    case "$endpoint" in
        "") args=("http://localhost:$PORT" --raw "$REQUESTS_DIR/get.raw,$REQUESTS_DIR/get.raw" -r "$per") ;;
        pipe) args=("http://localhost:$PORT/pipe") ;;
    esac
}
zrk_build_args() {
    case "$endpoint" in rows|x) cmd+=(-R "$rate" "http://localhost:$PORT/rows?n=1") ;; esac
}
framework_start() {
    args=(-v "$DATA_DIR/rows.json:/data/rows.json:ro")
    case "$endpoint" in rows) args+=(-e "DATABASE_URL=$DATABASE_URL") ;; esac
}
